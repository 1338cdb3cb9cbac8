import BlueZPrintableText

/// An identifier of a request, or of one start of a gateway: 16 random bytes. In JSON it is 32 lowercase hexadecimal
/// digits.
package struct Identifier: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    /// Creates an identifier with the system's random number generator.
    package static func random() -> Identifier {
        Identifier(unchecked: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Creates an identifier from 16 bytes; nil for another number of bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Creates an identifier from 32 hexadecimal digits; nil for other text.
    package init?(_ text: String) {
        guard let bytes = [UInt8](hexadecimal: text) else { return nil }
        self.init(bytes: bytes)
    }

    /// What an identifier is before it is read.
    static let unread = Identifier(unchecked: [UInt8](repeating: 0, count: 16))

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var description: String { String(hexadecimal: bytes) }
}
