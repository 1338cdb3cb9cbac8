import PrintableText

/// Bytes that are a string of hexadecimal digits in JSON.
package struct Hexadecimal: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads two digits per byte, of either case; nil if there is anything else.
    package init?(_ text: String, limit: Int) {
        guard text.utf8.count / 2 <= limit, let bytes = [UInt8](hexadecimal: text) else { return nil }
        self.bytes = bytes
    }

    package var text: String { String(hexadecimal: bytes) }
}

extension Hexadecimal: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.text(limit: 2 * GatewayLimits.advertisement)
        guard let value = Hexadecimal(text, limit: GatewayLimits.advertisement) else {
            throw decoder.corrupted("hexadecimal digits are expected")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        try text.encode(to: encoder)
    }
}
