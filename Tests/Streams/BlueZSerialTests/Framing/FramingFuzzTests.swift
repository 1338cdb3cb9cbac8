import BlueZSerial
import Foundation
import TestSupport
import Testing

/// Random bytes with valid messages among them, cut at random. BLE_SERIAL_FUZZ_COUNT sets how many sequences; with a
/// million it is `Scripts/fuzz framing`.
@Suite("Fuzzed framings", .virtualTime) struct FramingFuzzTests {
    private static let count =
        ProcessInfo.processInfo.environment["BLE_SERIAL_FUZZ_COUNT"].flatMap { Int($0) } ?? 3000
    /// The sequences of one failure can be had again by the number in its message.
    private static let seed =
        ProcessInfo.processInfo.environment["BLE_SERIAL_FUZZ_SEED"].flatMap { UInt64($0) } ?? 0x5EED

    /// The bytes of one sequence, and where valid frames were put in.
    private struct Sequence {
        var bytes: [UInt8] = []
        var frames: [(start: Int, message: CardReaderFrame)] = []

        init(_ generator: inout SeededGenerator, _ framing: CardReaderFraming) throws {
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0..<4:
                    let message = CardReaderFrame(
                        command: .random(in: 0...255, using: &generator),
                        subcommand: .random(in: 0...3, using: &generator),
                        data: Data(generator.bytes(.random(in: 0...40, using: &generator))))
                    frames.append((bytes.count, message))
                    bytes += try framing.encode(message)
                case 4: bytes += generator.bytes(.random(in: 1...30, using: &generator))
                case 5: bytes += [0x02] + generator.bytes(2) + [0, .random(in: 0...60, using: &generator)]
                case 6: bytes += Array(repeating: 0x02, count: .random(in: 1...9, using: &generator))
                default:
                    let message = CardReaderFrame(
                        command: 2, subcommand: 2, data: Data(generator.bytes(.random(in: 0...20, using: &generator))))
                    var frame = Array(try framing.encode(message))
                    frame[Int.random(in: 0..<frame.count, using: &generator)] ^=
                        UInt8(1) << Int.random(in: 0..<8, using: &generator)
                    bytes += frame.prefix(.random(in: 1...frame.count, using: &generator))
                }
            }
        }
    }

    /// What the guarantee says comes out, in the plainest way: each valid frame that begins where none before it goes on.
    private static func expected(_ bytes: [UInt8], _ framing: CardReaderFraming) -> [Int: CardReaderFrame] {
        var found: [Int: CardReaderFrame] = [:]
        var place = 0
        while place < bytes.count {
            let rest = bytes[place...]
            place += 1
            guard rest.count >= 7, rest.first == 0x02 else { continue }
            let length = Int(bytes[place + 2]) * 256 + Int(bytes[place + 3])
            guard length + 7 <= framing.maximumFrameLength, rest.count >= length + 7 else { continue }
            let body = rest.dropFirst().prefix(4 + length)
            let sum = framing.checksum.checksum(of: body)
            guard Array(rest.dropFirst(5 + length).prefix(2)) == [UInt8(sum >> 8), UInt8(sum & 0xFF)] else { continue }
            found[place - 1] = CardReaderFrame(
                command: bytes[place], subcommand: bytes[place + 1], data: Data(body.dropFirst(4)))
            place += length + 6
        }
        return found
    }

    @Test("Every valid frame comes out of random bytes with random cuts, and every byte is accounted for")
    func cardReader() throws {
        var framing = CardReaderFraming(maximumFrameLength: 100)
        var covered = 0
        var total = 0
        for number in 0..<Self.count {
            var generator = SeededGenerator(seed: Self.seed &+ UInt64(number))
            let sequence = try Sequence(&generator, framing)
            let expected = Self.expected(sequence.bytes, framing)
            let events = framing.receive(sequence.bytes, cutBy: &generator) + framing.finish()
            let messages = events.compactMap(\.message)
            let inOrder = expected.sorted { $0.key < $1.key }.map(\.value)
            guard messages == inOrder else {
                Issue.record("seed \(Self.seed &+ UInt64(number)): \(messages.count) frames, not \(inOrder.count)")
                continue
            }
            // A valid frame can be missing only behind a chance frame that overlaps it.
            total += sequence.frames.count
            for put in sequence.frames where expected[put.start] == put.message { covered += 1 }
            let lost = events.reduce(0) { $0 + ($1.lostBytes?.count ?? 0) }
            let taken = messages.reduce(0) { $0 + $1.data.count + 7 }
            #expect(lost + taken == sequence.bytes.count, "seed \(Self.seed &+ UInt64(number))")
        }
        #expect(total - covered <= max(1, total / 2000), "\(total - covered) of \(total) frames were overlapped")
    }

    @Test("The other framings take any bytes, and agree on them however they are cut")
    func others() {
        for number in 0..<Self.count {
            var generator = SeededGenerator(seed: Self.seed &+ UInt64(number))
            let bytes = (0..<Int.random(in: 0...120, using: &generator)).map { _ in
                Bool.random(using: &generator) ? UInt8.random(in: 0...3, using: &generator) : 0x0D
            }
            agree(TerminatorFraming(Data([0x0D, 0x02]), maximumLength: 12), bytes, &generator, number)
            agree(LengthPrefixedFraming(width: .one, maximumLength: 12), bytes, &generator, number)
            agree(LengthPrefixedFraming(counted: .lengthAndMessage), bytes, &generator, number)
            agree(CardReaderFraming(detectsChecksum: true, maximumFrameLength: 100), bytes, &generator, number)
            agree(IdleGapFraming(gap: .zero, maximumLength: 200), bytes, &generator, number)
        }
    }

    private func agree<F: Framing>(
        _ framing: F, _ bytes: [UInt8], _ generator: inout SeededGenerator, _ number: Int
    ) where F.Message: Equatable {
        var whole = framing
        var cut = framing
        let first = (whole.receive(Data(bytes)) + whole.finish()).compactMap(\.message)
        let second = (cut.receive(bytes, cutBy: &generator) + cut.finish()).compactMap(\.message)
        if first != second { Issue.record("seed \(Self.seed &+ UInt64(number)): \(F.self)") }
    }
}
