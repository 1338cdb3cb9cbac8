import CBlueZDBus

/// The size of a growing message body, computed with the alignments of the D-Bus specification. It is compared with the
/// limits above which a bus closes the connection: an array of 64 MiB, a message of 128 MiB, containers nested to a
/// depth of 64, and 16 descriptors.
struct BodySize {
    static let depth = 64
    /// The rest of a message's 128 MiB is left for its header.
    static let length = Int(DBUS_MAXIMUM_MESSAGE_LENGTH) - 65536
    static let arrayLength = Int(DBUS_MAXIMUM_ARRAY_LENGTH)
    /// dbus-daemon's default limit.
    static let descriptors = 16

    private(set) var count = 0
    private var descriptorCount = 0

    mutating func add(alignment: Int, count added: Int) throws(DBusError) {
        let end = (count + alignment - 1) / alignment * alignment + added
        guard end <= Self.length else { throw .invalidArguments("A D-Bus message can have at most 128 MiB") }
        count = end
    }

    mutating func addDescriptor() throws(DBusError) {
        guard descriptorCount < Self.descriptors else {
            throw .invalidArguments("A D-Bus message can carry at most \(Self.descriptors) file descriptors")
        }
        try add(alignment: 4, count: 4)
        descriptorCount += 1
    }

    func checkArray(from start: Int) throws(DBusError) {
        guard count - start <= Self.arrayLength else {
            throw .invalidArguments("A D-Bus array cannot have \(count - start) bytes; 64 MiB is the limit")
        }
    }

    /// Returns the alignment of the first type of a signature.
    static func alignment(of signature: String) -> Int {
        switch signature.utf8.first {
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        default: 4
        }
    }
}
