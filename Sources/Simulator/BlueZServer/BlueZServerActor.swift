import BlueZDBus

/// The actor for everything that this process serves on a bus as BlueZ. Its executor is a separate event loop, so that
/// a server and a client in the same process never share a thread.
///
/// Enter it with `run`. Code that is already on it needs no `await`.
@globalActor public actor BlueZServerActor {
    /// The only instance of the actor.
    public static let shared = BlueZServerActor()

    /// The loop on which everything runs.
    package static let loop: EventLoop = {
        do { return try EventLoop.forActor(name: "bluez-server") } catch { preconditionFailure("\(error)") }
    }()

    /// The loop as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.loop.asUnownedSerialExecutor() }

    /// Runs `body` on the actor, with the loop as its task's preferred executor, so that an `await` on the actor needs
    /// no hop.
    public static func run<R: Sendable>(_ body: @BlueZServerActor () async throws -> R) async rethrows -> R {
        try await withTaskExecutorPreference(loop) { try await body() }
    }

    /// Runs `body` immediately, as isolated code. Only for the loop's callbacks.
    package nonisolated static func assumeIsolated(_ body: @BlueZServerActor () -> Void) {
        loop.checkIsolated()
        withoutActuallyEscaping(body) { body in
            unsafe unsafeBitCast(body, to: (() -> Void).self)()
        }
    }

    /// A call that `schedule(after:_:)` has scheduled.
    public struct ScheduledCall: Sendable {
        let token: EventLoop.Token

        /// Cancels the call. Does nothing if it has already run.
        public func cancel() {
            loop.cancelScheduled(token)
        }
    }

    /// Runs `body` on the actor after a delay, on the loop's timer.
    @discardableResult
    nonisolated public static func schedule(
        after delay: Duration,
        _ body: @escaping @BlueZServerActor () -> Void
    ) -> ScheduledCall {
        ScheduledCall(token: loop.schedule(after: delay) { assumeIsolated(body) })
    }

    /// Runs `body` after the delay, or immediately if there is none.
    @BlueZServerActor package static func perform(after delay: Duration, _ body: @escaping @BlueZServerActor () -> Void)
    {
        if delay > .zero { schedule(after: delay, body) } else { body() }
    }
}
