import BlueZSimulator

/// The answers of a simulated serial device.
@SimulatorActor public protocol SerialScript: AnyObject {
    /// Takes the bytes of one write, in order, and returns the pieces to notify, one notification each unless the
    /// device splits or joins them.
    func received(_ bytes: [UInt8]) -> [[UInt8]]

    /// A central has subscribed; returns what to send at once. By default nothing.
    func subscribed() -> [[UInt8]]

    /// The link is gone. By default nothing happens.
    func disconnected()
}

extension SerialScript {
    /// Nothing.
    public func subscribed() -> [[UInt8]] { [] }
    /// Nothing.
    public func disconnected() {}
}

/// Sends back what it receives.
public final class EchoScript: SerialScript {
    /// Makes the script.
    public init() {}

    /// The same bytes.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] { [bytes] }
}

/// Answers nothing.
public final class SilentScript: SerialScript {
    /// Makes the script.
    public init() {}

    /// Nothing.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] { [] }
}

/// Answers with as many meaningless bytes as it receives.
public final class GarbageScript: SerialScript {
    private var state: UInt64

    /// Makes the script. The same seed gives the same bytes.
    public init(seed: UInt64 = 1) { state = seed }

    /// Meaningless bytes.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] { [bytes.map { _ in next() }] }

    /// Knuth's MMIX generator (The Art of Computer Programming 2, 3.3.4); its upper bits are the better ones.
    private func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}

/// Answers commands from a table.
public final class AnswerScript: SerialScript {
    /// A command and the pieces of its answer.
    public struct Answer: Hashable, Sendable {
        /// The whole command, with its terminator.
        public var command: [UInt8]
        /// The pieces.
        public var pieces: [[UInt8]]

        /// Makes an answer.
        public init(_ command: [UInt8], _ pieces: [[UInt8]]) {
            self.command = command
            self.pieces = pieces
        }
    }

    private let answers: [Answer]
    private var waiting: [UInt8] = []

    /// Makes the script.
    public init(_ answers: [Answer]) {
        self.answers = answers.filter { !$0.command.isEmpty }
    }

    /// The answers to the complete commands. Bytes that do not begin a command are dropped.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] {
        waiting += bytes
        var pieces: [[UInt8]] = []
        while !waiting.isEmpty {
            if let answer = answers.first(where: { waiting.starts(with: $0.command) }) {
                waiting.removeFirst(answer.command.count)
                pieces += answer.pieces
            } else if answers.contains(where: { $0.command.starts(with: waiting) }) {
                break
            } else {
                waiting.removeFirst()
            }
        }
        return pieces
    }

    /// An incomplete command is discarded.
    public func disconnected() { waiting.removeAll() }
}
