import DBus

/// An actor whose executor is an event loop, as every owner of a connection has one.
@globalActor actor TestActor {
    static let shared = TestActor()
    static let loop: EventLoop = {
        do { return try EventLoop(name: "dbus-tests") } catch { preconditionFailure("\(error)") }
    }()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.loop.asUnownedSerialExecutor() }

    static func run<R: Sendable>(_ body: @TestActor () async throws -> R) async rethrows -> R {
        try await withTaskExecutorPreference(loop) { try await body() }
    }

    nonisolated static func assumeIsolated(_ body: @TestActor () -> Void) {
        loop.checkIsolated()
        withoutActuallyEscaping(body) { body in
            unsafe unsafeBitCast(body, to: (() -> Void).self)()
        }
    }
}
