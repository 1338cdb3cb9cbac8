import BlueZJSONLine
import FoundationEssentials

/// The encoding of a measured number in a Bluetooth SIG characteristic. Types, exponents and units are those of the
/// GATT Specification Supplement.
struct Quantity {
    /// The size of the integer in bytes.
    let size: Int
    var isSigned = false
    /// The power of ten by which the integer is divided.
    let decimals: Int
    let unit: String
    /// The integer that means "value is not known".
    var unknown: Int64?
    /// The number of values, such as axes.
    var count = 1

    static func of(_ number: UInt16) -> Quantity? {
        switch number {
        // Power and energy
        case 0x2A07: Quantity(size: 1, isSigned: true, decimals: 0, unit: "dBm")
        case 0x2A19: Quantity(size: 1, decimals: 0, unit: "%")
        case 0x2AEE: Quantity(size: 2, decimals: 2, unit: "A", unknown: 0xFFFF)
        // Air and weather
        case 0x2A6C: Quantity(size: 3, isSigned: true, decimals: 2, unit: "m")
        case 0x2A6D: Quantity(size: 4, decimals: 1, unit: "Pa")
        case 0x2A6E: Quantity(size: 2, isSigned: true, decimals: 2, unit: "°C", unknown: -0x8000)
        case 0x2A6F: Quantity(size: 2, decimals: 2, unit: "%", unknown: 0xFFFF)
        case 0x2A70, 0x2A72: Quantity(size: 2, decimals: 2, unit: "m/s")
        case 0x2A71, 0x2A73, 0x2A2C: Quantity(size: 2, decimals: 2, unit: "°")
        case 0x2A76: Quantity(size: 1, decimals: 0, unit: "")
        case 0x2A77: Quantity(size: 2, decimals: 1, unit: "W/m²")
        case 0x2A78: Quantity(size: 2, decimals: 0, unit: "mm")
        case 0x2A79, 0x2A7A, 0x2A7B: Quantity(size: 1, isSigned: true, decimals: 0, unit: "°C")
        case 0x2AFB: Quantity(size: 3, decimals: 2, unit: "lx", unknown: 0xFFFFFF)
        case 0x2B8C: Quantity(size: 2, decimals: 0, unit: "ppm", unknown: 0xFFFF)
        // Magnetic flux density: 10⁻⁷ T
        case 0x2AA0: Quantity(size: 2, isSigned: true, decimals: 1, unit: "µT", count: 2)
        case 0x2AA1: Quantity(size: 2, isSigned: true, decimals: 1, unit: "µT", count: 3)
        // Health
        case 0x2A8D, 0x2A92: Quantity(size: 1, decimals: 0, unit: "bpm")
        case 0x2A80: Quantity(size: 1, decimals: 0, unit: "years")
        case 0x2A8E: Quantity(size: 2, decimals: 2, unit: "m")
        default: nil
        }
    }

    func read(_ data: Data) -> ReadableValue? {
        guard data.count == size * count else { return nil }
        var reader = ValueReader(data)
        var numbers: [Int64] = []
        for _ in 0..<count {
            guard let number = isSigned ? reader.signed(size) : reader.unsigned(size).map({ Int64($0) }) else {
                return nil
            }
            numbers.append(number)
        }
        if let unknown, numbers == [unknown] { return ReadableValue(text: "not known") }
        let values = numbers.map { Self.decoded($0, decimals) }
        let text = numbers.map { Self.text($0, decimals) }.joined(separator: " ")
        return ReadableValue(
            decoded: count == 1 ? values[0] : .list(values), unit: unit.isEmpty ? nil : unit,
            text: unit.isEmpty ? text : "\(text) \(unit)")
    }

    private static func decoded(_ number: Int64, _ decimals: Int) -> JSONValue {
        decimals == 0 ? .integer(number) : .number(Double(number) / Double(power(decimals)))
    }

    /// The decimal number with all of the integer's digits.
    static func text(_ number: Int64, _ decimals: Int) -> String {
        guard decimals > 0 else { return "\(number)" }
        let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: UInt64(power(decimals)))
        let digits = String(rest)
        let zeros = String(repeating: "0", count: decimals - digits.count)
        return "\(number < 0 ? "-" : "")\(whole).\(zeros)\(digits)"
    }

    static func power(_ decimals: Int) -> Int64 { (0..<decimals).reduce(1) { power, _ in power * 10 } }
}
