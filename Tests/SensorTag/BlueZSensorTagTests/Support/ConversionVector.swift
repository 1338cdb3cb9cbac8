import Foundation
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

extension ConversionVector {
    /// The rows of a decoder in Vectors/vectors.txt, which vectors.py writes.
    static func table(_ name: String) -> [ConversionVector] { tables[name]! }

    private static let tables: [String: [ConversionVector]] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try? String(contentsOf: folder.appending(path: "Vectors/vectors.txt"), encoding: .utf8)
        let rows = (text ?? "").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(grouping: rows) { $0[0] }.mapValues { $0.map { ConversionVector(row: $0) } }
    }()

    /// Creates the vector of a row: the decoder, the payload, a parameter or a hyphen, and the values.
    private init(row: [String]) {
        let parameter = row[2].split(separator: "=")
        self.init(
            row[1], calibration: parameter[0] == "calibration" ? String(parameter[1]) : "",
            range: parameter[0] == "range" ? Int(parameter[1])! : 0,
            row[3...].map { $0 == "nil" ? nil : Double($0)! })
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
