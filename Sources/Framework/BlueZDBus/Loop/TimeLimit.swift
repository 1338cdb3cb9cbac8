/// A time limit. It is a `Duration` whose 128 bits are converted once, instead of at each use.
public struct TimeLimit: Hashable, Sendable {
    /// The limit as a duration.
    public let duration: Duration
    let nanoseconds: Int64

    /// Creates a limit. Negative durations count as zero, and durations of more than 30 years as 30.
    public init(_ duration: Duration) {
        self.duration = duration
        nanoseconds = MonotonicInstant(nanoseconds: 0).advanced(by: duration).nanoseconds
    }
}

extension MonotonicInstant {
    /// Returns the instant this long after this one.
    public func advanced(by limit: TimeLimit) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds + limit.nanoseconds)
    }
}
