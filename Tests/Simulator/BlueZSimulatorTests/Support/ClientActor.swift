import BlueZDBus

/// The tests' own actor, on a loop of its own: the clients never share a thread with the simulator.
@globalActor actor ClientActor {
    static let shared = ClientActor()
    static let loop: EventLoop = {
        do { return try EventLoop(name: "test-clients") } catch { preconditionFailure("\(error)") }
    }()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.loop.asUnownedSerialExecutor() }

    static func run<R: Sendable>(_ body: @ClientActor () async throws -> R) async rethrows -> R {
        try await withTaskExecutorPreference(loop) { try await body() }
    }

    nonisolated static func assumeIsolated(_ body: @ClientActor () -> Void) {
        loop.checkIsolated()
        withoutActuallyEscaping(body) { body in
            unsafe unsafeBitCast(body, to: (() -> Void).self)()
        }
    }
}
