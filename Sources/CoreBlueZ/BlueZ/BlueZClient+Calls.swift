import DBus

/// The calls of bluetoothd's methods.
extension BlueZClient {
    /// Calls a method of one of bluetoothd's objects. The limit is a backstop: operations have their own, shorter one.
    ///
    /// - Parameter operation: what the call is for; if that has ended when the call finds its place among those in flight,
    ///   the call is not sent, and `reply` does not run. nil sends it in any case.
    func call(
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        in lane: CallGate.Lane = .control,
        limit: Duration,
        for operation: (any AnyOperation)? = nil,
        write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in },
        reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) {
        do throws(DBusError) {
            let message = try BlueZ.call(path, interface, member)
            try message.write(write)
            let isNeeded = operation == nil
            send(message, in: lane, limit: limit) { [weak operation] in
                isNeeded || operation?.isPending == true
            } reply: { [gate] in
                reply($0)
                gate.leave(lane)
            }
        } catch {
            BluetoothActor.later { reply(.failure(error)) }
        }
    }

    /// Sets a property, for an operation that ends with the answer.
    func set(
        _ property: String, of path: ObjectPath, _ interface: String, to value: Value, for operation: Operation<Void>
    ) {
        call(path, BlueZ.properties, "Set", limit: Timeout.discovery * 2, for: operation) {
            (writer) throws(DBusError) in
            try writer.append(.string(interface))
            try writer.append(.string(property))
            try writer.append(.variant(value))
        } reply: { result in
            switch result {
            case .success: operation.succeed(())
            case .failure(let error): operation.fail(BluetoothError(error, in: .other, operation.title))
            }
        }
    }

    /// Ends a device's link. The link may be there still when bluetoothd answers.
    ///
    /// - Parameter reply: gets nil, also where there was no link.
    func disconnect(_ device: ObjectPath, reply: @escaping @BluetoothActor (DBusError?) -> Void) {
        mirror.setLinkEnding(true, of: device)
        call(device, BlueZ.device, "Disconnect", limit: Timeout.disconnect * 2) { [weak self] result in
            guard let error = result.failure, error.name != "org.bluez.Error.NotConnected" else { return reply(nil) }
            self?.mirror.setLinkEnding(false, of: device)
            reply(error)
        }
    }

    /// Sends a call that is complete, at once or when there is a place for it. All calls about Bluetooth pass here.
    ///
    /// - Parameter reply: shall give the lane's place back, by the gate's `leave`, when it has done its work.
    /// - Returns: whether it was sent at once, or was not wanted.
    @discardableResult
    func send(
        _ message: Message,
        in lane: CallGate.Lane,
        limit: Duration,
        isWanted: @escaping @BluetoothActor () -> Bool,
        reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) -> Bool {
        let hasPlace = gate.enter(lane) { [weak self] in
            guard isWanted() else { return false }
            if let self {
                self.transmit(message, limit, reply)
            } else {
                BluetoothActor.later { reply(.failure(.disconnected())) }
            }
            return true
        }
        guard hasPlace else { return false }
        if isWanted() { transmit(message, limit, reply) } else { gate.leave(lane) }
        return true
    }

    private func transmit(
        _ message: Message, _ limit: Duration, _ reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) {
        guard let connection else { return BluetoothActor.later { reply(.failure(.disconnected())) } }
        connection.call(message, timeout: limit, reply: reply)
    }
}
