/// The number that the user compares or types in pairing: six decimal digits, 0 to 999999 (Bluetooth Core
/// Specification, Vol 3, Part H, 2.3.5.3).
public struct Passkey: Hashable, Sendable, CustomStringConvertible {
    /// The number, from 0 to 999999.
    public let number: UInt32

    /// Creates a passkey; nil if the number has more than six digits.
    public init?(_ number: UInt32) {
        guard number <= 999_999 else { return nil }
        self.number = number
    }

    /// Creates a passkey from the user's input: one to six decimal digits, with optional spaces between them; nil
    /// otherwise.
    public init?(_ text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard (1...6).contains(digits.count) else { return nil }
        var number: UInt32 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + UInt32(digit - UInt8(ascii: "0"))
        }
        self.number = number
    }

    /// All six digits, as devices show them: "007042".
    public var description: String {
        let digits = String(number)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
