import BlueZSerial
import Foundation

@testable import BlueZSensorTag

extension FuzzTarget {
    static func testSensors(_ bytes: [UInt8]) throws {
        guard let calibration = try? BarometerCalibration(from: Array(bytes.prefix(16))) else { return }
        let payload = Array(bytes.dropFirst(16))
        for decoder in Decoder.all {
            guard let values = try? decoder.decode(payload, calibration) else { continue }
            let isFinite = values.allSatisfy { $0?.isFinite ?? true }
            try check(isFinite, "\(decoder.name): \(payload) with \(calibration) is \(values)")
        }
        let problem = Decoder.textProblem(payload)
        try check(problem == nil, problem ?? "")
    }

    /// The first byte says where the others are cut: after so many bytes each time.
    static func testFramings(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let size = Int(first) + 1
        let data = Data(bytes.dropFirst())
        try same(CardReaderFraming(), data, size)
        try same(CardReaderFraming(checksum: .kermit, checksumByteOrder: .littleEndian), data, size)
        try same(CardReaderFraming(detectsChecksum: true), data, size)
        try same(TerminatorFraming(maximumLength: 300), data, size)
        try same(TerminatorFraming(Data([0]), maximumLength: 8), data, size)
        try same(LengthPrefixedFraming(width: .one, counted: .lengthAndMessage, maximumLength: 100), data, size)
        try same(LengthPrefixedFraming(byteOrder: .littleEndian, maximumLength: 300), data, size)
    }

    private static func same<F: Framing>(_ framing: F, _ data: Data, _ size: Int) throws where F.Message: Equatable {
        var whole = framing
        let expected = whole.receive(data) + whole.finish()
        var cut = framing
        var messages: [Result<F.Message, FramingError>] = []
        for start in stride(from: 0, to: data.count, by: size) {
            messages += cut.receive(data[start..<min(start + size, data.count)])
        }
        messages += cut.finish()
        let isSame = messages.compactMap { try? $0.get() } == expected.compactMap { try? $0.get() }
        try check(isSame, "\(F.self) depends on how bytes are cut")
    }
}
