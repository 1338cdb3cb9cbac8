import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZSensorTag

@Suite("Any bytes are a value or an error")
struct FuzzTests {
    /// In parts that run in parallel. `Scripts/fuzz decoders` takes more.
    static let parts = 0..<8
    static let payloadsInAPart = number("SENSORTAG_FUZZ_COUNT") ?? 2500

    static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    /// Fifteen of sixteen payloads have a length that the decoder accepts: a refusal at the length tests little more.
    @Test("Every decoder makes finite numbers or an error of random payloads", arguments: parts)
    func everyDecoder(part: Int) async throws {
        var random = SplitMix64(seed: UInt64(Self.number("SENSORTAG_FUZZ_SEED") ?? 0x5E15_07A6) + UInt64(part))
        var calibration = try BarometerCalibration(from: bytes(Decoder.calibration))
        var decoded = 0
        var refused = 0
        var offender: String?
        for turn in 0..<Self.payloadsInAPart {
            // There are as many threads for tests as processors: others want theirs too.
            if turn % 500 == 0 { await Task.yield() }
            let block = random.bytes(count: 40)
            if let other = try? BarometerCalibration(from: block[24...]) { calibration = other }
            let randomLength = turn % 16 == 0 ? Int(random.next() % 41) : nil
            for decoder in Decoder.all {
                let length = randomLength ?? decoder.lengths[turn % decoder.lengths.count]
                do {
                    let values = try decoder.decode(Array(block[..<length]), calibration)
                    decoded += 1
                    if values.contains(where: { $0?.isFinite == false }) {
                        offender = "\(decoder.name) \(block[..<length]) \(calibration): \(values)"
                    }
                } catch {
                    refused += 1
                }
            }
        }
        #expect(offender == nil)
        #expect(decoded > Self.payloadsInAPart * Decoder.all.count / 2)
        #expect(refused > Self.payloadsInAPart)
    }

    @Test("Random bytes as texts, versions, certificates and names do not trap")
    func texts() async throws {
        var random = SplitMix64(seed: 0x7E87)
        for turn in 0..<20_000 {
            if turn % 500 == 0 { await Task.yield() }
            let payload = random.bytes(count: Int(random.next() % 24))
            #expect(Decoder.textProblem(payload) == nil)
        }
    }
}

extension Decoder: CustomTestStringConvertible {
    var testDescription: String { name }
}

extension SplitMix64 {
    /// Bytes of which many are 0x00, 0x7F, 0x80 or 0xFF, where decoders break.
    mutating func bytes(count: Int) -> [UInt8] {
        let onlyEdges = next() % 4 == 0
        var bytes = [UInt8](repeating: 0, count: count)
        var word: UInt64 = 0
        var index = 0
        while index < count {
            if index & 7 == 0 { word = next() }
            let byte = UInt8(truncatingIfNeeded: word)
            bytes[index] = onlyEdges ? (byte & 1) &* 0x7F | byte & 0x80 : byte
            word >>= 8
            index += 1
        }
        return bytes
    }
}
