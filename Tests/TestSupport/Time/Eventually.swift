import BlueZDBus

/// Waits until a condition holds. On the virtual clock, it looks whenever nothing is in progress; on the real one, again
/// and again.
///
/// - Parameters:
///   - what: what the condition stands for.
///   - limit: how long it may take: by default, 30 seconds that grow with the load of the machine or, on the virtual
///     clock, an hour.
/// - Throws: `Patience.Exhausted`, `CancellationError`, or what the condition throws.
public func eventually(
    _ what: @autoclosure () -> String,
    within limit: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    until condition: () async throws -> Bool
) async throws {
    guard let loop = VirtualTime.loop else {
        return try await Patience.wait(
            for: what(), within: limit ?? .seconds(30), isolation: isolation, until: condition)
    }
    VirtualTime.restart()
    defer { VirtualTime.restart() }
    // The clock stops at the limit.
    let end = limit.map { (at: MonotonicInstant.now.advanced(by: $0), token: loop.schedule(after: $0) {}) }
    defer { if let end { loop.cancelScheduled(end.token) } }
    while try await !condition() {
        try Task.checkCancellation()
        let isLate = end.map { MonotonicInstant.now >= $0.at } ?? false
        guard !isLate, await VirtualTime.look() else {
            throw Patience.Exhausted(description: "waited in vain for: \(what()). \(VirtualTime.pending)")
        }
    }
}

extension Duration {
    /// A timeout for calls that should succeed and are not about deadlines.
    public static var ample: Duration { VirtualTime.isOn ? .seconds(60) : Patience.timeout }

    /// A short time that should pass after something else has happened: on the real clock, longer on a slow machine.
    public var stretched: Duration { VirtualTime.isOn ? self : Patience.scaled(self) }
}
