import BlueZDBus

/// A client's estimate of a gateway instance's clock, which does not require two clocks to agree.
///
/// A response contains the gateway's clock at the time of sending. When the response arrives, that clock shows at least
/// this time. So a deadline that is counted from it is at or before the intended one. Only the drift of the clocks
/// since then, which is less than 1 ms in 5 s, is not covered.
package struct GatewayClock: Hashable, Sendable {
    private struct Reading: Hashable {
        var now: UInt64
        var received: BootInstant
    }

    private var latest: Reading?

    package init() {}

    /// Updates the clock with that of a response. A response that is older, because it was delivered again or late, changes
    /// nothing.
    package mutating func update(now: UInt64, receivedAt instant: BootInstant) {
        if let latest, now <= latest.now { return }
        latest = Reading(now: now, received: instant)
    }

    /// Returns the age of the latest reading, or nil if there is none. Send `hello` if it is older than some seconds.
    package func age(at instant: BootInstant) -> Duration? {
        latest.map { instant - $0.received }
    }

    /// Returns the deadline for a request that is sent now with this timeout, in milliseconds of the gateway's clock,
    /// rounded down. Nil if the gateway's clock is unknown.
    package func notAfter(timeout: Duration, at instant: BootInstant) -> UInt64? {
        guard let latest else { return nil }
        let passed = max(.zero, (instant - latest.received) + timeout)
        return latest.now.addingReportingOverflow(UInt64(clamping: passed.wholeMilliseconds)).partialValue
    }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero, up to 146 million years.
    package var wholeMilliseconds: Int64 {
        // `components` traps beyond 64 bits.
        let limit = Duration.seconds(Int64.max / 2000)
        let (seconds, attoseconds) = min(max(self, .zero - limit), limit).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// The duration in seconds, rounded up, for the expiry of a message: at least 1.
    package var expirySeconds: UInt32 {
        UInt32(clamping: max(1, (wholeMilliseconds.addingReportingOverflow(999).partialValue) / 1000))
    }
}
