import BlueZDBus

/// An actor whose executor is an event loop, as every owner of a connection has one.
@globalActor public actor TestActor {
    /// The actor.
    public static let shared = TestActor()
    /// Its thread.
    public static let loop: EventLoop = {
        do { return try EventLoop(name: "dbus-tests") } catch { preconditionFailure("\(error)") }
    }()

    /// Jobs run on the loop's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.loop.asUnownedSerialExecutor() }

    /// Runs `body` on the actor.
    public static func run<R: Sendable>(_ body: @TestActor () async throws -> R) async rethrows -> R {
        try await withTaskExecutorPreference(loop) { try await body() }
    }

    /// Runs `body` at once: the caller is on the actor's thread.
    public nonisolated static func assumeIsolated(_ body: @TestActor () -> Void) {
        loop.checkIsolated()
        withoutActuallyEscaping(body) { body in
            unsafe unsafeBitCast(body, to: (() -> Void).self)()
        }
    }
}
