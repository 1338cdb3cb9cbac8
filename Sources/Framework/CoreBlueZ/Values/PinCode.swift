/// The pairing code used before Bluetooth 2.1: 1 to 16 bytes of UTF-8, often four digits.
public struct PinCode: Hashable, Sendable, CustomStringConvertible {
    /// The code, as the user typed it. Don't log it.
    public let description: String

    /// Creates a code; nil if the text is empty, longer than 16 bytes of UTF-8 (src/agent.c: pincode_reply), or
    /// contains control characters.
    public init?(_ text: String) {
        guard (1...16).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        description = text
    }
}
