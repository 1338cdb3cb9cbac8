import BlueZSimulator

/// The responses of a simulated serial device.
@SimulatorActor public protocol SerialScript: AnyObject {
    /// Receives the bytes of one write, in order, and returns the pieces to notify. Each is one notification, unless
    /// the device splits or joins them.
    func received(_ bytes: [UInt8]) -> [[UInt8]]

    /// Called when a central has subscribed. Returns the pieces to send immediately; by default, none.
    func subscribed() -> [[UInt8]]

    /// Called when the link has ended. By default, it does nothing.
    func disconnected()
}

extension SerialScript {
    /// Returns nothing.
    public func subscribed() -> [[UInt8]] { [] }
    /// Does nothing.
    public func disconnected() {}
}

/// A script that sends back the bytes that it receives.
public final class EchoScript: SerialScript {
    /// Creates the script.
    public init() {}

    /// Returns the same bytes.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] { [bytes] }
}

/// A script that never responds.
public final class SilentScript: SerialScript {
    /// Creates the script.
    public init() {}

    /// Returns nothing.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] { [] }
}

/// A script that responds with as many random bytes as it receives.
public final class GarbageScript: SerialScript {
    private var state: UInt64

    /// Creates the script. The same seed results in the same bytes.
    public init(seed: UInt64 = 1) { state = seed }

    /// Returns random bytes.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] { [bytes.map { _ in next() }] }

    /// Knuth's MMIX generator (The Art of Computer Programming 2, 3.3.4); its upper bits are better than the lower
    /// ones.
    private func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}

/// A script that responds to commands from a table.
public final class ResponseScript: SerialScript {
    /// A command and the pieces of its response.
    public struct Response: Hashable, Sendable {
        /// The whole command, with its terminator.
        public var command: [UInt8]
        /// The pieces of the response, one notification each.
        public var pieces: [[UInt8]]

        /// Creates a response.
        public init(_ command: [UInt8], _ pieces: [[UInt8]]) {
            self.command = command
            self.pieces = pieces
        }
    }

    private let responses: [Response]
    private var waiting: [UInt8] = []

    /// Creates the script.
    public init(_ responses: [Response]) {
        self.responses = responses.filter { !$0.command.isEmpty }
    }

    /// Returns the responses to complete commands. Bytes that do not begin a command are dropped.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] {
        waiting += bytes
        var pieces: [[UInt8]] = []
        while !waiting.isEmpty {
            if let response = responses.first(where: { waiting.starts(with: $0.command) }) {
                waiting.removeFirst(response.command.count)
                pieces += response.pieces
            } else if responses.contains(where: { $0.command.starts(with: waiting) }) {
                break
            } else {
                waiting.removeFirst()
            }
        }
        return pieces
    }

    /// Discards an incomplete command.
    public func disconnected() { waiting.removeAll() }
}
