import BlueZPrintableText

/// The name of a gateway or a client: one level of a topic, with 1 to 64 ASCII letters, digits, `_` and `-`.
public struct GatewayName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Creates a name; nil if the text has another form.
    public init?(_ name: some StringProtocol) {
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(Self.isAllowed) else { return nil }
        description = String(name)
    }

    private init(unchecked name: String) { description = name }

    /// What a name is before it is read.
    static let unread = GatewayName(unchecked: "_")

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Orders names by their bytes.
    public static func < (left: GatewayName, right: GatewayName) -> Bool { left.description < right.description }

    /// Returns a client's name for one start: the chosen name and eight random hexadecimal digits, so that a restarted
    /// client does not get messages for the earlier one. Nil if the name has more than 55 characters.
    package func client() -> GatewayName? {
        GatewayName("\(description)-\(String(hexadecimal: Identifier.random().bytes.prefix(4)))")
    }

    /// The user of the broker to which a client belongs, which is the name without the digits of one start.
    package var user: GatewayName {
        let digits = description.suffix(8)
        guard description.dropLast(8).last == "-", let bytes = [UInt8](hexadecimal: digits),
            String(hexadecimal: bytes) == digits
        else { return self }
        return GatewayName(description.dropLast(9)) ?? self
    }
}

extension GatewayName: Encodable {
    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}
