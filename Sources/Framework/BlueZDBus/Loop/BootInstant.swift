import Glibc

/// A point in time of CLOCK_BOOTTIME, which also runs while the machine is suspended. It is for deadlines and leases on
/// which other machines rely. It has the same meaning in every process until the machine restarts.
package struct BootInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the machine started.
    package let nanoseconds: Int64

    /// Creates the instant this many nanoseconds after the machine's start.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The time now.
    package static var now: BootInstant {
        #if DEBUG
            if let now = VirtualClock.now { return BootInstant(nanoseconds: now.nanoseconds) }
        #endif
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return BootInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns the instant this long after this one. Durations of more than 30 years count as 30.
    package func advanced(by duration: Duration) -> BootInstant {
        let limit: Int64 = 1_000_000_000
        let (seconds, attoseconds) = min(max(duration, .seconds(-limit)), .seconds(limit)).components
        let (sum, overflow) = nanoseconds.addingReportingOverflow(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        return overflow ? self : BootInstant(nanoseconds: sum)
    }

    package static func < (left: BootInstant, right: BootInstant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the time from one instant to another.
    package static func - (left: BootInstant, right: BootInstant) -> Duration {
        .nanoseconds(left.nanoseconds &- right.nanoseconds)
    }
}
