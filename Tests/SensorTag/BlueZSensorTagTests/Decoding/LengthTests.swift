import Testing

@testable import BlueZSensorTag

@Suite("Every decoder checks the length")
struct LengthTests {
    @Test("A payload of any other length is an error that names both lengths", arguments: Decoder.all)
    func otherLengths(decoder: Decoder) throws {
        let calibration = try BarometerCalibration(from: bytes(Decoder.calibration))
        let expected: SensorTagDataError.ExpectedLength =
            decoder.lengths.count == 2
            ? .either(decoder.lengths[0], decoder.lengths[1]) : .exactly(decoder.lengths[0])
        for length in Array(0...40) + [512, 65536] where !decoder.lengths.contains(length) {
            let error = SensorTagDataError.wrongLength(decoder.attribute, expected: expected, actual: length)
            #expect(throws: error) {
                _ = try decoder.decode([UInt8](repeating: 1, count: length), calibration)
            }
        }
    }

    @Test("A payload of the right length is decoded", arguments: Decoder.all)
    func rightLengths(decoder: Decoder) throws {
        let calibration = try BarometerCalibration(from: bytes(Decoder.calibration))
        for length in decoder.lengths {
            #expect(throws: Never.self) {
                _ = try decoder.decode([UInt8](repeating: 1, count: length), calibration)
            }
        }
    }

    @Test("A slice is decoded like an array")
    func slice() throws {
        let long = bytes("0000b8ff600d0000")
        #expect(try TMP006.reading(from: long[2..<6]) == TMP006.reading(from: bytes("b8ff600d")))
        #expect(try SystemIdentifier(from: (1...9).dropFirst().map(UInt8.init)).bytes.first == 2)
    }

    @Test("Certification data needs its two header bytes", arguments: 0...1)
    func certification(length: Int) {
        let error = SensorTagDataError.wrongLength(.regulatoryCertification, expected: .atLeast(2), actual: length)
        #expect(throws: error) {
            try RegulatoryCertification(from: [UInt8](repeating: 0, count: length))
        }
    }

    @Test(
        "An error says what is wrong in words",
        arguments: [
            (
                SensorTagDataError.wrongLength(.barometerCalibration, expected: .exactly(16), actual: 3),
                "barometer calibration: expected exactly 16 bytes, got 3"
            ),
            (
                .wrongLength(.simpleKeys, expected: .exactly(1), actual: 0),
                "simple keys: expected exactly 1 byte, got 0"
            ),
            (.wrongLength(.barometer, expected: .either(6, 4), actual: 5), "barometer: expected 6 or 4 bytes, got 5"),
            (
                .wrongLength(.regulatoryCertification, expected: .atLeast(2), actual: 1),
                "IEEE 11073 certification data: expected at least 2 bytes, got 1"
            ),
            (.calibrationNotLoaded, "barometer calibration: all zero, the tag has not loaded it"),
            (.invalidMeasurement(.optical), "optical: the sensor reports no valid measurement"),
            (.unknownValue(.ioMode, 3), "IO mode: 3 has no meaning"),
            (.periodOutOfRange(milliseconds: 5, allowed: 100...2550), "period: 5 ms is outside of 100 to 2550 ms"),
        ])
    func descriptions(error: SensorTagDataError, words: String) {
        #expect(error.description == words)
    }
}
