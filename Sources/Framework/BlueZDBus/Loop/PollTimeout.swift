/// The timeout of `poll()`.
enum PollTimeout {
    /// Returns the milliseconds until the instant, rounded up so that the loop does not spin during the last one, or -1
    /// (no limit) without an instant.
    static func milliseconds(
        until instant: MonotonicInstant?, from now: @autoclosure () -> MonotonicInstant = .now
    ) -> CInt {
        guard let instant else { return -1 }
        let nanoseconds = instant.nanoseconds - now().nanoseconds
        guard nanoseconds > 0 else { return 0 }
        return CInt(min((nanoseconds + 999_999) / 1_000_000, 1_000_000_000))
    }
}
