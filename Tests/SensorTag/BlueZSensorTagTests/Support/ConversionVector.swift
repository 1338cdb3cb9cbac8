import Testing

/// One row of a table: bytes, and what they must decode to in the order of the reading's properties.
struct ConversionVector: Sendable, CustomTestStringConvertible {
    let payload: [UInt8]
    let calibration: [UInt8]
    let range: Int
    let expected: [Double?]
    let testDescription: String

    init(_ payload: String, calibration: String = "", range: Int = 0, _ expected: [Double?]) {
        self.payload = bytes(payload)
        self.calibration = bytes(calibration)
        self.range = range
        self.expected = expected
        let parameter = range == 0 ? calibration : "\(range) g"
        testDescription = parameter.isEmpty ? payload : "\(payload) with \(parameter)"
    }

    /// Expects as many values as the row has, each within a billionth.
    func expect(_ values: [Double?], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(values.count == expected.count, sourceLocation: sourceLocation)
        for (value, wanted) in zip(values, expected) {
            guard let value, let wanted else {
                #expect(value == wanted, sourceLocation: sourceLocation)
                continue
            }
            let tolerance = 1e-9 * max(1, wanted.magnitude)
            #expect(abs(value - wanted) <= tolerance, "\(value), not \(wanted)", sourceLocation: sourceLocation)
        }
    }
}

/// The bytes of hexadecimal digits without spaces.
func bytes(_ digits: String) -> [UInt8] {
    let digits = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

extension [UInt8] {
    /// The bytes of a text.
    init(ascii text: String) { self = Array(text.utf8) }
}
