/// Numbers with a fixed number of decimals, for users.
package enum FixedPoint {
    /// The number rounded to `decimals` digits after the point, at most 6. Numbers that do not fit are written
    /// unchanged.
    package static func text(_ value: Double, decimals: Int) -> String {
        let decimals = min(max(decimals, 0), 6)
        let factor = (0..<decimals).reduce(1) { factor, _ in factor * 10 }
        let scaled = (value * Double(factor)).rounded(.toNearestOrAwayFromZero)
        guard let number = Int64(exactly: scaled), number != .min else { return "\(value)" }
        let (whole, rest) = abs(number).quotientAndRemainder(dividingBy: Int64(factor))
        let sign = number < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let digits = String(rest)
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
    }
}
