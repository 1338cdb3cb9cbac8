import TestSupport
import Testing

@testable import BlueZAdvertisements

@Suite("Advertisements that end early or are random")
struct RobustnessTests {
    @Test("The beginning of a payload is said to be incomplete", arguments: Vector.all.filter { $0.problem == nil })
    func truncated(vector: Vector) throws {
        let whole = try vector.decoded()
        for count in 0..<bytes(vector.digits).count {
            let advertisement = try vector.decoded(prefix: count)
            // Nothing shows which format it was.
            guard let part = advertisement.parts.last else { continue }
            #expect([UInt8](part.data) == Array(bytes(vector.digits).prefix(count)))
            switch part.problem {
            case .truncated?: break
            // A sealed payload that lost its end, or one of a size that encrypted payloads have.
            case .wrongKey? where vector.key != nil, .encrypted? where part.format == "ATC" || part.format == "pvvx":
                break
            // Without an address, only the size tells these apart.
            case _ where vector.address == nil && vector.source == .service(0x181A): break
            // Formats with objects or characters of any number end where one does, and these two have an optional end.
            case nil:
                let isVariable = ["BTHome v2", "MiBeacon", "Eddystone-URL", "Eddystone-UID", "pvvx"]
                #expect(isVariable.contains(part.format), "\(count) bytes of \(vector.testDescription)")
            case let problem?: Issue.record("\(problem) in \(count) bytes of \(vector.testDescription)")
            }
            #expect(advertisement.readings.count <= whole.readings.count)
        }
    }

    @Test("A message that a key doesn't open has no readings but what isn't encrypted")
    func tampered() throws {
        for vector in Vector.all where vector.key != nil && vector.problem == nil {
            let digits = bytes(vector.digits)
            for index in digits.indices.dropFirst(digits.count - 4) {
                var changed = digits
                changed[index] ^= 0x40
                let part = try #require(try vector.decoded(changed).parts.last)
                // Versions 2 and 3 of MiBeacon have no check value.
                guard digits[1] >> 4 > 3 || part.format != "MiBeacon" else { continue }
                #expect(part.problem == .wrongKey)
                #expect(part.readings.allSatisfy { $0.kind == .product } && part.events.isEmpty)
            }
        }
    }

    @Test("Random payloads of every source are decoded to finite numbers, or not at all")
    func random() throws {
        var generator = SplitMix64(seed: 57)
        let vectors = Dictionary(grouping: Vector.all, by: \.source)
        for (source, vectors) in vectors.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            var wrong: [[UInt8]] = []
            for _ in 0..<200 {
                // Half of them begin as a real payload.
                let real = vectors.randomElement(using: &generator)
                let beginning = Bool.random(using: &generator) ? bytes(real?.digits ?? "") : []
                let count = Int.random(in: 0...40, using: &generator)
                let random = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let kept = beginning.prefix(Int.random(in: 0...beginning.count, using: &generator))
                let vector = Vector(
                    document: "random", source: source, digits: "", format: "", readings: "", address: real?.address,
                    key: real?.key)
                let advertisement = try vector.decoded(kept + random)
                let isFinite = advertisement.readings.allSatisfy { $0.number?.isFinite ?? true }
                if !isFinite || advertisement.parts.count > 1 + count + kept.count { wrong.append(kept + random) }
            }
            #expect(wrong.isEmpty, "\(source)")
        }
    }
}
