/// A UUID as BlueZ writes it: 36 lowercase characters.
package struct GatewayUUID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Reads 36 characters, of either case; nil if there is anything else.
    package init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 36, groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            Hexadecimal(groups.joined(), limit: 16) != nil
        else { return nil }
        description = text.lowercased()
    }

    /// Takes 16 bytes, the first one printed first; nil if there are more or fewer.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += Hexadecimal.text([byte])
        }
        description = text
    }

    /// A UUID of 16 or 32 bits (Core Specification, Vol 3, Part B, 2.5.1).
    package init(short: UInt32) {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: short >> (24 - 8 * $0)) }
        description = Hexadecimal.text(bytes) + Self.base
    }

    /// The UUID of 16 or 32 bits that this one is; nil if it is another one.
    package var short: UInt32? {
        guard description.hasSuffix(Self.base), let bytes = Hexadecimal(String(description.prefix(8)), limit: 4)?.bytes
        else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The 16 bytes, the first one printed first.
    package var bytes: [UInt8] {
        Hexadecimal(description.split(separator: "-").joined(), limit: 16)?.bytes ?? []
    }

    private static let base = "-0000-1000-8000-00805f9b34fb"
}

extension GatewayUUID: Codable {
    package init(from decoder: any Decoder) throws {
        guard let uuid = GatewayUUID(try decoder.text(limit: 36)) else {
            throw decoder.corrupted("a UUID of 36 characters is expected")
        }
        self = uuid
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
