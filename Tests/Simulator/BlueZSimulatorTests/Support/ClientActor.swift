import BlueZDBus

/// The tests' own actor. On the real clock, it has a loop of its own, and no thread with the simulator in common.
@globalActor actor ClientActor {
    static let shared = ClientActor()
    static let loop: EventLoop = {
        do { return try EventLoop.forActor(name: "test-clients") } catch { preconditionFailure("\(error)") }
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
