import DBus

/// The actor of all simulators of a process. Its executor is an event loop of its own, so that a simulator and the
/// client under test never share a thread.
///
/// Enter it with `run`; code that is already on it needs no `await`.
@globalActor public actor SimulatorActor {
    /// The actor.
    public static let shared = SimulatorActor()

    /// The loop on which all simulators run.
    package static let loop: EventLoop = {
        do { return try EventLoop(name: "bluez-simulator") } catch { preconditionFailure("\(error)") }
    }()

    /// The loop as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.loop.asUnownedSerialExecutor() }

    /// Runs `body` on the actor, with the loop as its task's preferred executor: an `await` on the actor needs no hop.
    public static func run<R: Sendable>(_ body: @SimulatorActor () async throws -> R) async rethrows -> R {
        try await withTaskExecutorPreference(loop) { try await body() }
    }

    /// Runs `body` at once, as isolated. Only for what the loop calls.
    package nonisolated static func assumeIsolated(_ body: @SimulatorActor () -> Void) {
        loop.checkIsolated()
        withoutActuallyEscaping(body) { body in
            unsafe unsafeBitCast(body, to: (() -> Void).self)()
        }
    }

    /// Runs `body` on the actor after a delay, on the loop's timer.
    @discardableResult
    nonisolated public static func schedule(
        after delay: Duration,
        _ body: @escaping @SimulatorActor () -> Void
    ) -> ScheduledCall {
        ScheduledCall(token: loop.schedule(after: delay) { assumeIsolated(body) })
    }

    /// Runs `body` at once if there is no delay, otherwise after it.
    @SimulatorActor static func perform(after delay: Duration, _ body: @escaping @SimulatorActor () -> Void) {
        if delay > .zero { schedule(after: delay, body) } else { body() }
    }
}

/// A call that is due later.
public struct ScheduledCall: Sendable {
    let token: EventLoop.Token

    /// Cancels the call. Does nothing if it has run.
    public func cancel() {
        SimulatorActor.loop.cancelScheduled(token)
    }
}
