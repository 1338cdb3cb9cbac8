/// The operations that a characteristic declares: the low byte is the declaration's, the high byte the Extended
/// Properties descriptor's (Bluetooth Core Specification, Vol 3, Part G, 3.3.1.1 and 3.3.3.1).
public struct SimulatedProperties: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Makes a set of bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Broadcast.
    public static let broadcast = SimulatedProperties(rawValue: 0x01)
    /// Read.
    public static let read = SimulatedProperties(rawValue: 0x02)
    /// Write command.
    public static let writeWithoutResponse = SimulatedProperties(rawValue: 0x04)
    /// Write request.
    public static let write = SimulatedProperties(rawValue: 0x08)
    /// Notification.
    public static let notify = SimulatedProperties(rawValue: 0x10)
    /// Indication.
    public static let indicate = SimulatedProperties(rawValue: 0x20)
    /// Signed write command.
    public static let authenticatedSignedWrites = SimulatedProperties(rawValue: 0x40)
    /// There is an Extended Properties descriptor.
    public static let extendedProperties = SimulatedProperties(rawValue: 0x80)
    /// Reliable write, an extended property.
    public static let reliableWrite = SimulatedProperties(rawValue: 0x100)
    /// The user description can be written, an extended property.
    public static let writableAuxiliaries = SimulatedProperties(rawValue: 0x200)

    static let names: [(property: SimulatedProperties, name: String)] = [
        (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write-without-response"),
        (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
        (.authenticatedSignedWrites, "authenticated-signed-writes"), (.extendedProperties, "extended-properties"),
        (.reliableWrite, "reliable-write"), (.writableAuxiliaries, "writable-auxiliaries"),
    ]

    /// The names of the bits in BlueZ's `Flags`, in its order.
    public var flags: [String] {
        Self.names.filter { contains($0.property) }.map(\.name)
    }

    /// The property for a name in BlueZ's `Flags`; nil for an unknown name.
    public init?(flag: String) {
        guard let property = Self.names.first(where: { $0.name == flag })?.property else { return nil }
        self = property
    }
}
