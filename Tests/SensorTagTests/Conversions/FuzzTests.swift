import Testing

@testable import SensorTag

@Suite("Any bytes are a value or an error")
struct FuzzTests {
    /// A million payloads in parts that run in parallel.
    static let parts = 0..<8
    static let payloadsInAPart = 125_000

    @Test("A million random payloads, lengths and calibrations give finite numbers or an error", arguments: parts)
    func everyDecoder(part: Int) throws {
        var random = SplitMix64(seed: 0x5E15_07A6 + UInt64(part))
        let lengths = Array(Set(Decoder.all.flatMap(\.lengths))).sorted()
        var calibration = try BarometerCalibration(from: bytes(Decoder.calibration))
        var decoded = 0
        var refused = 0
        var offender: String?
        for _ in 0..<Self.payloadsInAPart {
            if let other = try? BarometerCalibration(from: random.bytes(count: 16)) { calibration = other }
            let choice = random.next()
            let count = choice % 8 == 0 ? Int(choice >> 32 % 41) : lengths[Int(choice >> 32) % lengths.count]
            let payload = random.bytes(count: count)
            for decoder in Decoder.all {
                do {
                    let values = try decoder.decode(payload, calibration)
                    decoded += 1
                    for case let value? in values where !value.isFinite {
                        offender = "\(decoder.testDescription) \(payload) \(calibration): \(value)"
                    }
                } catch {
                    refused += 1
                }
            }
        }
        #expect(offender == nil)
        #expect(decoded > Self.payloadsInAPart)
        #expect(refused > Self.payloadsInAPart)
    }

    @Test("Random bytes as texts, versions, certificates and names do not trap")
    func texts() throws {
        var random = SplitMix64(seed: 0x7E87)
        for _ in 0..<20_000 {
            let payload = random.bytes(count: Int(random.next() % 24))
            let text = DeviceInformationText.text(from: payload)
            #expect(!text.utf8.contains(0))
            _ = FirmwareVersion(text)
            _ = SensorTagGeneration(name: text, services: [text], manufacturerData: [0x000D: payload])
            if let certificate = try? RegulatoryCertification(from: payload) {
                #expect(certificate.description.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            }
            if let product = try? PnPIdentifier(from: payload) { #expect(!product.description.isEmpty) }
        }
    }
}

/// A small generator with a seed: the same numbers on every run.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Bytes of which many are 0x00, 0x7F, 0x80 or 0xFF, where decoders break.
    mutating func bytes(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        let style = next() % 4
        var word: UInt64 = 0
        for index in 0..<count {
            if index % 8 == 0 { word = next() }
            let byte = UInt8(truncatingIfNeeded: word)
            bytes.append(style == 0 ? [0x00, 0x7F, 0x80, 0xFF][Int(byte % 4)] : byte)
            word >>= 8
        }
        return bytes
    }
}
