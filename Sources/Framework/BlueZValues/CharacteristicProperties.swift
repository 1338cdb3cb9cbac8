/// The operations that a characteristic supports: the flags of `org.bluez.GattCharacteristic1`.
public struct CharacteristicProperties: OptionSet, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The bits. The lower eight are those of the characteristic declaration (Core Specification, volume 3, part G,
    /// 3.3.1.1).
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The value can be broadcast.
    public static let broadcast = CharacteristicProperties(rawValue: 1 << 0)
    /// The value can be read.
    public static let read = CharacteristicProperties(rawValue: 1 << 1)
    /// The value can be written without a response (write command).
    public static let writeWithoutResponse = CharacteristicProperties(rawValue: 1 << 2)
    /// The value can be written with a response (write request).
    public static let write = CharacteristicProperties(rawValue: 1 << 3)
    /// The peripheral can notify.
    public static let notify = CharacteristicProperties(rawValue: 1 << 4)
    /// The peripheral can indicate: notify values that the central confirms.
    public static let indicate = CharacteristicProperties(rawValue: 1 << 5)
    /// The value can be written with a signature.
    public static let authenticatedSignedWrites = CharacteristicProperties(rawValue: 1 << 6)
    /// The characteristic has extended properties, which a descriptor contains.
    public static let extendedProperties = CharacteristicProperties(rawValue: 1 << 7)
    /// The value can be written reliably (extended).
    public static let reliableWrite = CharacteristicProperties(rawValue: 1 << 8)
    /// The user description can be written (extended).
    public static let writableAuxiliaries = CharacteristicProperties(rawValue: 1 << 9)

    /// BlueZ's flags (doc/org.bluez.GattCharacteristic.rst) in the order of the bits.
    package static let flagNames = [
        "broadcast", "read", "write-without-response", "write", "notify", "indicate", "authenticated-signed-writes",
        "extended-properties", "reliable-write", "writable-auxiliaries",
    ]

    /// Creates a property from BlueZ's flag; nil if the flag is unknown.
    public init?(flag: String) {
        guard let index = Self.flagNames.firstIndex(of: flag) else { return nil }
        self.init(rawValue: 1 << UInt16(index))
    }

    /// Creates a set from BlueZ's flags. Unknown ones are left out.
    package init(flags: [String]) {
        self = flags.reduce(into: []) { set, flag in
            if let property = Self(flag: flag) { set.insert(property) }
        }
    }

    /// BlueZ's flags for the set, separated by commas, or "none".
    public var description: String { isEmpty ? "none" : names.joined(separator: ", ") }

    /// BlueZ's flags for the set, such as "write-without-response", in the order of the bits.
    public var names: [String] {
        Self.flagNames.indices.filter { rawValue & 1 << UInt16($0) != 0 }.map { Self.flagNames[$0] }
    }
}
