/// How long something may take: a `Duration`, whose 128 bits are converted once, and not whenever it begins anew.
public struct TimeLimit: Hashable, Sendable {
    /// The time.
    public let duration: Duration
    let nanoseconds: Int64

    /// Makes a limit. What is negative counts as no time at all, and what is longer than thirty years as thirty years.
    public init(_ duration: Duration) {
        self.duration = duration
        nanoseconds = MonotonicInstant(nanoseconds: 0).advanced(by: duration).nanoseconds
    }
}

extension MonotonicInstant {
    /// The instant so long after this one.
    public func advanced(by limit: TimeLimit) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds + limit.nanoseconds)
    }
}
