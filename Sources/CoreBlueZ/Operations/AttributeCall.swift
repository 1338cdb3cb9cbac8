import DBus

/// One call of an attribute's method, repeated while another program has the attribute, and judged with what is known
/// of the link.
@BluetoothActor struct AttributeCall<Value> {
    let operation: Operation<Value>
    /// Weak: an answer that never comes must not keep the connection that waits for it.
    weak var client: BlueZClient?
    let path: ObjectPath
    let request: Request
    /// Builds the call anew for every attempt.
    let build: @BluetoothActor () throws(DBusError) -> Message?
    /// Takes the answer.
    let read: @BluetoothActor (inout MessageReader) throws(DBusError) -> Value
    /// The value where an error is as good as an answer.
    var recover: (DBusError) -> Value? = { _ in nil }

    /// How long the link's end may come after the failure that it caused.
    private static var linkLossWait: Duration { .seconds(1) }

    func send(attempt: Int = 0) {
        guard operation.isPending, let client else { return }
        let isRead = request == .read
        do throws(DBusError) {
            guard let message = try build() else {
                return operation.fail(BluetoothError(.notDiscovered, "\(operation.title): discover it first"))
            }
            if isRead { client.channels.readBegins(path) }
            client.send(message, deadline: Deadline.attribute * 2) { [weak client] result in
                if isRead { client?.channels.readEnds(path, isSuccess: result.isSuccess) }
                receive(result, attempt)
            }
        } catch {
            operation.fail(BluetoothError(error, in: request, operation.title))
        }
    }

    private func receive(_ result: Result<Message, DBusError>, _ attempt: Int) {
        guard operation.isPending else { return }
        do throws(DBusError) {
            var reader = try result.get().reader
            operation.succeed(try read(&reader))
        } catch {
            if let value = recover(error) {
                operation.succeed(value)
            } else if attempt < attempts(after: error) {
                // The queue of this process is empty, so it is another program's operation, or a socket of this one
                // that bluetoothd has not seen closed yet.
                _ = BluetoothActor.after(.milliseconds(10 << min(attempt, 6))) { send(attempt: attempt + 1) }
            } else {
                fail(BluetoothError(error, in: request, operation.title))
            }
        }
    }

    private func attempts(after error: DBusError) -> Int {
        let hadSocket = client?.releasedSockets.contains(path) == true
        return switch (error.name, error.message) {
        case ("org.bluez.Error.InProgress", _): 12
        case ("org.bluez.Error.NotPermitted", "Notify acquired") where hadSocket: 6
        case ("org.bluez.Error.NotPermitted", "Write acquired") where hadSocket: 6
        default: 0
        }
    }

    /// BlueZ fails pending operations with ATT error 0x0e when the link breaks, just before it tells that it broke
    /// (src/shared/att.c: disconnect_cb): the true reason is waited for.
    private func fail(_ error: BluetoothError) {
        guard error.attError == .unlikelyError || error.code == .notConnected else { return operation.fail(error) }
        _ = BluetoothActor.after(Self.linkLossWait) { operation.fail(error) }
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
