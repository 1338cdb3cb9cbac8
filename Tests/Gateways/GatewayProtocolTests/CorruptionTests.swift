import BlueZValues
import TestSupport
import Testing

@testable import GatewayProtocol

@Suite("Corrupted messages")
struct CorruptionTests {
    private static func samples() throws -> [[UInt8]] {
        var samples = try Sample.operations.map { try Sample.request($0).payload() }
        samples += try Sample.events.map { try Sample.event($0).payload() }
        samples.append(try Sample.advertisement.payload())
        samples.append(
            try GatewayResponse(
                id: Sample.id, instance: Sample.instance, now: 99, outcome: .success(Sample.discovered)
            ).payload())
        samples.append(
            try GatewayStatus(state: .online, instance: Sample.instance, slots: 10, free: 9).payload())
        return samples
    }

    private static func mutate(_ message: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var message = message
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !message.isEmpty else { break }
            let index = Int.random(in: 0..<message.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: message[index] = .random(in: 0...255, using: &random)
            case 1: message.remove(at: index)
            case 2: message.insert(.random(in: 0...255, using: &random), at: index)
            case 3: message.removeSubrange(index...)
            case 4: message.insert(contentsOf: message[index...].prefix(64), at: index)
            default:
                message.replaceSubrange(
                    index..<index,
                    with: bytes(["99999999999", "null", "{", "-", "\"", "[[[["][Int.random(in: 0..<6, using: &random)]))
            }
        }
        return message
    }

    @Test("Random mutations of messages are read or refused, and never stop the program")
    func mutations() throws {
        var random = SplitMix64(seed: 17)
        let samples = try Self.samples()
        var (accepted, refused) = (0, 0)
        let rounds = 100 * Rounds.count(40)
        for _ in 0..<rounds {
            let message = Self.mutate(samples[Int.random(in: 0..<samples.count, using: &random)], &random)
            let readers: [() throws -> Void] = [
                { _ = try GatewayRequest(payload: message).payload() },
                { _ = try GatewayEvent(payload: message).payload() },
                { _ = try GatewayAdvertisement(payload: message).payload() },
                { _ = try GatewayStatus(payload: message).payload() },
                { _ = try GatewayResponse<DiscoverResult>(payload: message).payload() },
            ]
            let successes = readers.count { read in (try? read()) != nil }
            if successes > 0 { accepted += 1 } else { refused += 1 }
        }
        #expect(accepted > rounds * 3 / 200)
        #expect(refused > rounds / 4)
    }

    @Test("Deeply nested JSON is refused")
    func nesting() {
        let text = String(repeating: "[", count: 4000) + String(repeating: "]", count: 4000)
        #expect(throws: MessageError.self) { try GatewayRequest(payload: bytes(text)) }
        let keys = String(repeating: "{\"version\":", count: 700) + "1" + String(repeating: "}", count: 700)
        #expect(throws: MessageError.self) { try GatewayRequest(payload: bytes(keys)) }
    }

    @Test("Random AD structures are read or refused, and read again as the same data")
    func structures() {
        var random = SplitMix64(seed: 23)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...62, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...40, using: &random) }
            guard let data = AdvertisementData(encoded: bytes) else { continue }
            let again = AdvertisementData(encoded: data.encoded)
            #expect(again?.manufacturerData == data.manufacturerData)
            #expect(again?.serviceData == data.serviceData)
        }
    }
}
