/// A time limit: a `Duration`, whose 128 bits are converted once instead of at each use.
public struct TimeLimit: Hashable, Sendable {
    /// The time.
    public let duration: Duration
    let nanoseconds: Int64

    /// Makes a limit. Negative durations count as zero, durations of more than thirty years as thirty.
    public init(_ duration: Duration) {
        self.duration = duration
        nanoseconds = MonotonicInstant(nanoseconds: 0).advanced(by: duration).nanoseconds
    }
}

extension MonotonicInstant {
    /// The instant this long after this one.
    public func advanced(by limit: TimeLimit) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds + limit.nanoseconds)
    }
}
