import CBlueZDBus
import Glibc

@testable import BlueZDBus

extension Message {
    /// The message that arrives as these bytes; nil if they are none. What follows it is held to be messages, too.
    static func received(_ bytes: [UInt8], paths: PathCache? = nil, headers: HeaderCache? = nil) -> Message? {
        var first: MessageContents?
        var rest = bytes[...]
        do {
            while let size = try size(rest), size <= rest.count {
                let contents = try contents(rest.prefix(size), paths, headers)
                first = first ?? contents
                rest = rest.dropFirst(size)
            }
        } catch {
            return nil
        }
        return first.map(Message.init)
    }

    private static func size(_ bytes: ArraySlice<UInt8>) throws -> Int? {
        try unsafe bytes.withUnsafeBytes { bytes in
            try MessageValidator.size(unsafe WireBytes(bytes.baseAddress, count: bytes.count))
        }
    }

    private static func contents(
        _ bytes: ArraySlice<UInt8>, _ paths: PathCache?, _ headers: HeaderCache?
    ) throws -> MessageContents {
        var bytes = Array(bytes)
        return try unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { throw MessageValidator.truncated }
            let valid = try unsafe MessageValidator(start, count: bytes.count).validate(cache: headers)
            guard valid.header.descriptorCount == 0 else { throw InvalidMessage("no descriptors came") }
            let contents = MessageContents(valid, [], paths)
            contents.own()
            return contents
        }
    }

    /// What libdbus makes of the same bytes, in this machine's order; nil if it refuses them.
    static func reference(_ bytes: [UInt8]) -> [UInt8]? {
        var error = DBusErrorStorage()
        let raw = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe dbus_message_demarshal(start, CInt(bytes.count), &error.raw)
        }
        guard let raw = unsafe raw else {
            _ = error.take()
            return nil
        }
        defer { unsafe dbus_message_unref(raw) }
        // An iterator turns the numbers.
        var iterator = unsafe DBusMessageIter()
        unsafe dbus_message_iter_init(raw, &iterator)
        var start: UnsafeMutablePointer<CChar>?
        var count: CInt = 0
        guard unsafe dbus_message_marshal(raw, &start, &count) != 0, let start = unsafe start else { return nil }
        defer { unsafe dbus_free(start) }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    /// The header and the arguments, as the reader sees them.
    var bytes: [UInt8] {
        let contents = contents
        return unsafe contents.wire.withBytes(WireBytes.Text(start: 0, count: contents.wire.count)) { bytes in
            unsafe [UInt8](bytes)
        }
    }
}
