import CDBus

@testable import DBus

extension Message {
    /// The message that libdbus makes of bytes which arrive; nil if it refuses them.
    static func received(_ bytes: [UInt8], paths: PathCache? = nil) -> Message? {
        var error = DBusErrorStorage()
        let raw = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe dbus_message_demarshal(start, CInt(bytes.count), &error.raw)
        }
        guard let raw = unsafe raw else {
            _ = error.take()
            return nil
        }
        return unsafe Message(adopting: raw, paths: paths)
    }

    /// The header and the arguments, as the reader sees them.
    var bytes: [UInt8] {
        let contents = contents
        return unsafe contents.wire.withBytes(WireBytes.Text(start: 0, count: contents.wire.count)) { bytes in
            unsafe [UInt8](bytes)
        }
    }
}
