/// The timeout of `poll()`.
enum PollTimeout {
    /// Milliseconds until the instant, rounded up so that the loop does not spin through the last one; -1 (forever)
    /// without an instant.
    static func milliseconds(until instant: SuspendingClock.Instant?) -> CInt {
        guard let instant else { return -1 }
        let (seconds, attoseconds) = SuspendingClock().now.duration(to: instant).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return CInt(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
