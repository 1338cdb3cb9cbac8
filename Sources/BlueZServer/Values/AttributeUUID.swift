import PrintableText

/// The UUID of a service, characteristic or descriptor, kept as BlueZ writes it: 36 characters in lowercase.
public struct AttributeUUID: Hashable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral
{
    /// The text, such as `0000180a-0000-1000-8000-00805f9b34fb`.
    public let string: String

    /// A UUID of the Bluetooth SIG from its 16-bit number.
    public init(_ short: UInt16) {
        string = String(hexadecimal: short, digits: 8) + Self.baseSuffix
    }

    /// A UUID from text of 4, 8 or 36 characters in any case; nil for other text.
    public init?(_ text: String) {
        let text = text.lowercased()
        let isHexadecimal: (Character) -> Bool = { $0.isASCII && $0.isHexDigit }
        switch text.utf8.count {
        case 4, 8:
            guard text.allSatisfy(isHexadecimal) else { return nil }
            string = String(repeating: "0", count: 8 - text.utf8.count) + text + Self.baseSuffix
        case 36:
            let groups = text.split(separator: "-", omittingEmptySubsequences: false)
            guard groups.map(\.count) == [8, 4, 4, 4, 12], groups.joined().allSatisfy(isHexadecimal) else { return nil }
            string = text
        default: return nil
        }
    }

    /// A UUID from its 16-bit number.
    public init(integerLiteral value: UInt16) { self.init(value) }

    /// A UUID from a literal, which must be valid.
    public init(stringLiteral value: String) {
        guard let uuid = AttributeUUID(value) else { preconditionFailure("\"\(value)\" is not a UUID") }
        self = uuid
    }

    /// The text.
    public var description: String { string }

    /// The 16-bit number, if it is a UUID of the Bluetooth SIG.
    public var short: UInt16? {
        guard string.hasPrefix("0000"), string.hasSuffix(Self.baseSuffix) else { return nil }
        return UInt16(string.dropFirst(4).prefix(4), radix: 16)
    }

    private static let baseSuffix = "-0000-1000-8000-00805f9b34fb"
}

extension AttributeUUID {
    /// The Serial Port Profile of classic Bluetooth.
    public static let serialPort = AttributeUUID(0x1101)

    package static let genericAccess: AttributeUUID = 0x1800
    package static let genericAttribute: AttributeUUID = 0x1801
    static let deviceInformation: AttributeUUID = 0x180A
    static let battery: AttributeUUID = 0x180F
    static let humanInterfaceDevice: AttributeUUID = 0x1812
    package static let deviceName: AttributeUUID = 0x2A00
    package static let appearance: AttributeUUID = 0x2A01
    package static let serviceChanged: AttributeUUID = 0x2A05
    static let batteryLevel: AttributeUUID = 0x2A19
    static let pnpIdentifier: AttributeUUID = 0x2A50
    package static let clientConfiguration: AttributeUUID = 0x2902
}
