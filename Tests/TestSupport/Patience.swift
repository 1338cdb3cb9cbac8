/// Waits for conditions. A limit is a time of an idle machine: a slow one gets proportionally more, measured
/// when the limit has passed, up to twentyfold.
public struct Patience: Sendable {
    /// What did not happen.
    public struct Exhausted: Error, CustomStringConvertible {
        /// For users.
        public let description: String
    }

    private static let most = 20.0
    private let start = ContinuousClock.now
    private let limit: Duration

    /// Begins to wait.
    public init(_ limit: Duration = .seconds(30)) {
        self.limit = limit
    }

    /// Whether to keep waiting.
    public var lasts: Bool {
        let time = start.duration(to: .now)
        return time < limit || time < limit * min(Machine.slowness, Self.most)
    }

    /// The time until the next look: short at first, so that nobody waits in vain, and longer later, because each look
    /// takes time from what is waited for.
    private var pause: Duration { max(.milliseconds(1), min(.milliseconds(10), start.duration(to: .now) / 16)) }

    /// A timeout for calls that should succeed and are not about deadlines: three times what is plenty on an idle
    /// machine, and proportionally more on a slow one.
    public static var timeout: Duration { scaled(.seconds(60)) }

    /// A short time of an idle machine, proportionally longer on a slow one. For deadlines that should pass after
    /// something else has happened, which takes its time too.
    public static func scaled(_ time: Duration) -> Duration { time * min(Machine.slowness, most) }

    /// Waits until the condition holds.
    ///
    /// - Throws: `Exhausted`, or what the condition throws.
    public static func wait(
        for what: @autoclosure () -> String,
        within limit: Duration = .seconds(30),
        isolation: isolated (any Actor)? = #isolation,
        until condition: () async throws -> Bool
    ) async throws {
        let patience = Patience(limit)
        while try await !condition() {
            guard patience.lasts else { throw Exhausted(description: "waited in vain for: \(what())") }
            try await ContinuousClock().sleep(for: patience.pause)
        }
    }
}
