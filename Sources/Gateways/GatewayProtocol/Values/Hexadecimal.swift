import BlueZPrintableText

/// Bytes, represented in JSON by a string of hexadecimal digits.
package struct Hexadecimal: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

}

extension Hexadecimal: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try String(from: decoder)
        guard text.utf8.count <= 2 * GatewayLimits.advertisement, let bytes = [UInt8](hexadecimal: text) else {
            throw decoder.corrupted("hexadecimal digits are expected")
        }
        self.bytes = bytes
    }

    package func encode(to encoder: any Encoder) throws {
        try String(hexadecimal: bytes).encode(to: encoder)
    }
}
