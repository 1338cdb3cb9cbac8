/// A decimal number with the digits that a device sent: `significand` times ten to the power of `exponent`.
///
/// Two numbers are equal if their digits are: 25.0 isn't equal to 25.00.
public struct GATTNumber: Hashable, Sendable, CustomStringConvertible {
    /// The digits, without a decimal point.
    public let significand: Int64
    /// The power of ten by which the digits are multiplied.
    public let exponent: Int

    /// Creates a number from its digits and the power of ten by which they are multiplied.
    public init(_ significand: Int64, exponent: Int = 0) {
        self.significand = significand
        self.exponent = exponent
    }

    /// The nearest binary number.
    public var double: Double { Double("\(significand)e\(exponent)") ?? .nan }

    /// The digits with a decimal point, such as 25.00; with an exponent, such as 3e+20, if more than 12 decimals or 6
    /// zeros would follow.
    public var description: String {
        let zeros = { (count: Int) in String(repeating: "0", count: count) }
        let (sign, digits) = (significand < 0 ? "-" : "", String(significand.magnitude))
        switch exponent {
        case 0...6: return significand == 0 ? "0" : sign + digits + zeros(exponent)
        case -12..<0:
            let padded = zeros(max(0, 1 - exponent - digits.count)) + digits
            return "\(sign)\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
        default: return "\(sign)\(digits)e\(exponent < 0 ? "" : "+")\(exponent)"
        }
    }
}

extension GATTNumber {
    /// Creates a number from its text, such as -36.60 or 3e20, and keeps its digits. Nil for other text, for more than 18
    /// digits, and for an exponent of more than three.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        let halves = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = halves.count > 1 ? halves[1] : ""
        let limit: Int64 = 1_000_000_000_000_000_000
        guard decimals.first?.isNumber != false, let significand = Int64(halves.joined()),
            significand.magnitude < limit.magnitude
        else { return nil }
        var exponent = 0
        if parts.count > 1 {
            guard let typed = Int(parts[1]), abs(typed) < 1000 else { return nil }
            exponent = typed
        }
        self.init(significand, exponent: exponent - decimals.utf8.count)
    }
}
