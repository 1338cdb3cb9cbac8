import BlueZDBus
import BlueZSimulator
import CoreBlueZ

/// Another program on the bus, which calls bluetoothd or the framework's agent.
@SimulatorActor public final class Stranger {
    private var connection: Connection?
    /// The unique name on the bus.
    public nonisolated let name: String

    /// Connects to a bus.
    public init(_ bus: BusAddress) async throws {
        let connection = try Connection(to: bus.server, loop: SimulatorActor.loop)
        name = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            connection.hello(timeout: .ample) { continuation.resume(with: $0) }
        }
        self.connection = connection
    }

    isolated deinit { connection?.close() }

    /// The error that a call ends with.
    @discardableResult
    public func call(
        _ destination: String, _ member: String, of interface: String = "org.bluez.Agent1",
        at path: String = "/org/corebluez/agent", _ arguments: [Value]
    ) async throws -> DBusError? {
        let message = try Message.methodCall(
            to: destination, path: ObjectPath(path), interface: interface, member: member)
        try message.write { (writer) throws(DBusError) in for each in arguments { try writer.append(each) } }
        return await withCheckedContinuation { continuation in
            connection?.call(message, timeout: .ample) { result in
                if case .failure(let error) = result {
                    continuation.resume(returning: error)
                } else {
                    continuation.resume(returning: nil)
                }
            }
        }
    }
}
