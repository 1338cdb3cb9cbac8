import BlueZDBus

/// A rate limit, in events per second, that allows a burst.
package struct TokenBucket: Hashable, Sendable {
    private let rate: Double
    private let burst: Double
    private var tokens: Double
    private var last: BootInstant

    /// Creates a full bucket.
    package init(rate: Double, burst: Double, now: BootInstant) {
        self.rate = rate
        self.burst = burst
        tokens = burst
        last = now
    }

    /// Takes one token. Returns false if the limit is reached.
    package mutating func take(at now: BootInstant) -> Bool {
        if now > last {
            tokens = min(burst, tokens + rate * ((now - last) / .seconds(1)))
            last = now
        }
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Takes tokens for more events, even if there are too few. `take` then returns false until they have been
    /// replaced.
    package mutating func charge(_ events: Int) { tokens -= Double(events) }
}
