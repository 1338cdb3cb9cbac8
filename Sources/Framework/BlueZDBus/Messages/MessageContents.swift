import CBlueZDBus
import Glibc

/// A message's header and arguments as bytes, in this machine's order.
///
/// While a message is being delivered, they stay in the receive buffer; `own` copies them for longer use.
@safe final class MessageContents {
    private(set) var wire: WireBytes
    private(set) var header: Header
    private(set) var flags: UInt8 = 0
    private(set) var serial: UInt32 = 0
    /// The file descriptors of the message, by the index that the arguments use.
    private(set) var descriptors: [UnixFileDescriptor]
    /// The cache of object paths. Without one, each path is created separately.
    let paths: PathCache?
    /// The bytes, if this object owns them.
    private var owned: UnsafeMutableRawPointer?

    /// Creates empty contents.
    init() {
        wire = unsafe WireBytes(nil, count: 0)
        header = Header(.unknown)
        descriptors = []
        paths = nil
    }

    /// Creates the contents of a validated message. Its bytes stay where they are until `own` or the end of this
    /// object.
    init(_ message: ValidMessage, _ descriptors: [UnixFileDescriptor], _ paths: PathCache?) {
        wire = message.wire
        header = message.header
        flags = message.flags
        serial = message.serial
        self.descriptors = descriptors
        self.paths = paths
    }

    /// Creates the contents of a message that libdbus created; nil if there is no memory.
    init?(_ message: OpaquePointer, _ descriptors: [UnixFileDescriptor]) {
        var bytes: UnsafeMutablePointer<CChar>?
        var count: CInt = 0
        guard unsafe dbus_message_marshal(message, &bytes, &count) != 0, let bytes = unsafe bytes else { return nil }
        defer { unsafe dbus_free(bytes) }
        guard let valid = try? unsafe MessageValidator(bytes, count: Int(count)).validate(needsSerial: false) else {
            return nil
        }
        wire = valid.wire
        header = valid.header
        flags = valid.flags
        serial = valid.serial
        self.descriptors = descriptors
        paths = nil
        own()
    }

    deinit {
        unsafe free(owned)
    }

    /// Replaces the contents with those of another message. There must be no other references to this object.
    func reuse(_ message: ValidMessage, _ descriptors: [UnixFileDescriptor]) {
        wire = message.wire
        header = message.header
        flags = message.flags
        serial = message.serial
        self.descriptors = descriptors
    }

    /// Removes the contents of a delivered message, whose bytes are about to be reused.
    func clear() {
        wire = unsafe WireBytes(nil, count: 0)
        if !descriptors.isEmpty { descriptors = [] }
    }

    /// Keeps the bytes beyond the delivery of the message. Copies them, unless this object owns them. Without memory,
    /// the contents become empty.
    func own() {
        guard unsafe owned == nil else { return }
        if let copy = unsafe wire.copied() { return unsafe own(copy) }
        wire = unsafe WireBytes(nil, count: 0)
        header = Header(.unknown)
    }

    /// Returns whether the bytes are those at an address.
    func begins(at address: UnsafeRawPointer) -> Bool { unsafe wire.begins(at: address) }

    /// Takes ownership of the memory of the bytes, from `malloc`.
    func own(_ memory: UnsafeMutableRawPointer) {
        unsafe owned = unsafe memory
        wire = unsafe WireBytes(memory, count: wire.count)
    }

    /// Whether the sender wants a reply.
    var wantsReply: Bool { flags & 1 == 0 }

    // MARK: Texts

    func string(_ text: WireBytes.Text) -> String {
        unsafe wire.withBytes(text) { bytes in unsafe String(decoding: bytes, as: UTF8.self) }
    }

    func isEqual(_ text: WireBytes.Text, _ other: StaticString) -> Bool {
        guard other.hasPointerRepresentation else { return false }
        return unsafe wire.isEqual(text, other.utf8Start, count: other.utf8CodeUnitCount)
    }

    static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.count == 0 }
        return unsafe memcmp(first, second, left.count) == 0
    }

    func isEqual(_ text: WireBytes.Text, _ other: String) -> Bool {
        guard text.count == other.utf8.count else { return false }
        var other = other
        return other.withUTF8 { other in
            guard let start = other.baseAddress else { return true }
            return unsafe wire.isEqual(text, start, count: other.count)
        }
    }

    func objectPath(_ text: WireBytes.Text) -> ObjectPath {
        unsafe wire.withBytes(text) { bytes in
            unsafe paths?.path(bytes) ?? ObjectPath(unchecked: String(decoding: bytes, as: UTF8.self))
        }
    }
}
