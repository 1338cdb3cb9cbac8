import Glibc

/// A point in time of CLOCK_MONOTONIC, like that of `SuspendingClock`, as a plain number. 128-bit instants take
/// hundreds of instructions to compare, and each call has a deadline.
public struct MonotonicInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since some point in the past.
    public let nanoseconds: Int64

    /// The time now.
    public static var now: MonotonicInstant {
        #if DEBUG
            if let now = VirtualClock.now { return now }
        #endif
        return real
    }

    /// The time now, also for tests with a clock of their own: for what blocks its thread.
    static var real: MonotonicInstant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns the instant this long after this one. Negative durations count as zero, and durations of more than 30
    /// years as 30.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return self }
        let added = min(seconds, 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        return MonotonicInstant(nanoseconds: nanoseconds + added)
    }

    /// Orders instants by time.
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the time from one instant to another.
    public static func - (left: MonotonicInstant, right: MonotonicInstant) -> Duration {
        .nanoseconds(left.nanoseconds - right.nanoseconds)
    }
}
