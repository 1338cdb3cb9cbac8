import BlueZValues

/// A packet between a host and its controller, as a capture contains it.
struct CapturedPacket: Equatable, Sendable {
    /// The kind of the packet.
    enum Kind: Equatable, Sendable {
        case command
        case event
        case acl
        /// A controller has appeared, or is described. Its address is in the packet, if anywhere.
        case adapterAdded
        case adapterRemoved
        case adapterPowered(Bool)
        /// Audio, text and other things that contain no attributes.
        case other
    }

    /// The number of the packet in the file, starting with 1.
    var number: Int
    /// In microseconds since 1970.
    var time: Int64
    /// The index of the controller.
    var adapter: UInt16 = 0
    var kind: Kind
    /// Whether the controller has sent it to the host. Nil if the file doesn't say.
    var isReceived: Bool?
    /// Without the byte that says what it is.
    var bytes: [UInt8]
    /// How many packets the file says were lost before this one.
    var dropped: UInt32 = 0
}

/// Why a file can't be read, and where.
package struct CaptureError: Error, Equatable {
    /// The offset in bytes.
    package var offset: Int
    /// The error's message.
    package var message: String
}

/// Takes numbers from bytes, starting with the first. Each is nil if there are not enough bytes left.
struct PacketFields {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

    /// An integer whose low byte comes first.
    mutating func little<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type) -> Number? {
        bytes(Number.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    /// An integer whose high byte comes first.
    mutating func big<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type) -> Number? {
        bytes(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number($1) }
    }

    /// A 32-bit integer whose high byte, or low byte, comes first.
    mutating func number(_ isBig: Bool) -> UInt32? { isBig ? big(UInt32.self) : little(UInt32.self) }

    /// A 16-bit number whose low byte comes first.
    mutating func short() -> UInt16? { little(UInt16.self) }

    /// An address, whose low byte comes first.
    mutating func address() -> BluetoothAddress? { bytes(6).flatMap { BluetoothAddress(reversed: $0) } }
}

extension BluetoothAddress {
    /// Creates an address from six bytes, the low one first.
    init?(reversed bytes: ArraySlice<UInt8>) {
        guard bytes.count == 6 else { return nil }
        self.init(bits: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}
