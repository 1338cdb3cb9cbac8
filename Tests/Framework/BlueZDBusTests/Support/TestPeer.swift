import BlueZDBus
import TestSupport
import Testing

/// Owns a connection as the framework's objects do, with async forms of what the tests ask.
@TestActor final class TestPeer {
    private(set) var connection: Connection?
    private(set) var signals: [Message] = []
    private(set) var lost: DBusError?
    private(set) var turns = 0
    private var waiters: [Waiter] = []
    private var bus: PrivateBus?

    init(_ address: String) async throws {
        let connection = try Connection(to: .address(address), loop: TestActor.loop) { [weak self] events in
            TestActor.assumeIsolated {
                self?.turns += 1
                self?.connection?.process(events)
                self?.check()
            }
        }
        self.connection = connection
        connection.signalHandler = { [weak self] message in
            // The bus itself reports its names to each connection.
            if message.sender != "org.freedesktop.DBus" { self?.signals.append(message) }
        }
        connection.disconnectHandler = { [weak self] error in self?.lost = error }
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            connection.hello(timeout: Patience.timeout) { continuation.resume(with: $0) }
        }
    }

    /// Two on a bus of their own, which lives as long as one of them.
    static func pair() async throws -> (server: TestPeer, client: TestPeer) {
        let bus = try PrivateBus()
        let pair = (server: try await TestPeer(bus.address), client: try await TestPeer(bus.address))
        pair.server.bus = bus
        pair.client.bus = bus
        return pair
    }

    isolated deinit { connection?.close() }

    var open: Connection { get throws { try #require(connection) } }
    var name: String { connection?.uniqueName ?? "" }

    /// Waits until the condition holds after some turn, with a timeout.
    func wait(
        until condition: @escaping () -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) async {
        if condition() { return }
        let isMet = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            waiters.append(Waiter(condition, continuation))
        }
        if !isMet { Issue.record("What was waited for did not come", sourceLocation: location) }
    }

    private func check() {
        for waiter in waiters { waiter.check() }
        waiters.removeAll { $0.isDone }
    }

    /// Calls a method and reads the whole answer.
    func call(
        _ destination: String,
        _ path: String,
        _ interface: String,
        _ member: String,
        _ arguments: [Value] = [],
        timeout: Duration? = Patience.timeout
    ) async throws -> [Value] {
        let message = try Message.methodCall(
            to: destination, path: ObjectPath(path), interface: interface, member: member
        )
        try message.write { (writer) throws(DBusError) in for value in arguments { try writer.append(value) } }
        return try await withCheckedThrowingContinuation { continuation in
            connection?.call(message, timeout: timeout) { result in
                continuation.resume(
                    with: result.flatMap { message in
                        do throws(DBusError) {
                            var reader = message.reader
                            return .success(try reader.readRemainingValues())
                        } catch {
                            return .failure(error)
                        }
                    }
                )
            }
        }
    }
}

/// A test that waits for something, with a timeout.
@TestActor private final class Waiter {
    private let condition: () -> Bool
    private var continuation: CheckedContinuation<Bool, Never>?
    private var timeout: EventLoop.Token?

    init(_ condition: @escaping () -> Bool, _ continuation: CheckedContinuation<Bool, Never>) {
        self.condition = condition
        self.continuation = continuation
        timeout = TestActor.loop.schedule(after: Patience.timeout) { [weak self] in
            TestActor.assumeIsolated { self?.end(false) }
        }
    }

    var isDone: Bool { continuation == nil }

    func check() {
        if !isDone, condition() { end(true) }
    }

    private func end(_ isMet: Bool) {
        if let timeout { TestActor.loop.cancelScheduled(timeout) }
        continuation?.resume(returning: isMet)
        continuation = nil
    }
}
