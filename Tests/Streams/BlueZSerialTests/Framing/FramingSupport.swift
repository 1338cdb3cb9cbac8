import BlueZSerial
import FoundationEssentials

/// A generator of random numbers that begins where it is told to, so that a failure can be seen again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}

extension Framing {
    /// What comes out of bytes that are cut at random, or not at all.
    mutating func receive(_ bytes: [UInt8], cutBy generator: inout SeededGenerator) -> [Result<Message, FramingError>] {
        var events: [Result<Message, FramingError>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...40, using: &generator))
            events += receive(Data(bytes[start..<end]))
            start = end
        }
        return events
    }

    /// What comes out of bytes that come one by one.
    mutating func receiveSingly(_ bytes: Data) -> [Result<Message, FramingError>] {
        bytes.flatMap { receive(Data([$0])) }
    }
}

extension Result where Failure == FramingError {
    var message: Success? { try? get() }
    var reason: FramingError.Reason? {
        if case .failure(let error) = self { error.reason } else { nil }
    }
    var lostBytes: Data? {
        if case .failure(let error) = self { error.bytes } else { nil }
    }
}

func frame(_ command: UInt8, _ data: [UInt8] = [], _ framing: CardReaderFraming = CardReaderFraming()) throws -> Data {
    try framing.encode(CardReaderFrame(command: command, subcommand: 0, data: Data(data)))
}
