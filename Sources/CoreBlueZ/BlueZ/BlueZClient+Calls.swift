import DBus

/// The calls of bluetoothd's methods.
extension BlueZClient {
    /// Calls a method of one of bluetoothd's objects. The limit is a backstop: operations have their own, shorter one.
    ///
    /// - Parameter operation: what the call is for. If the operation has ended by the time the call gets a place among
    ///   those in flight, the call is not sent, and `reply` does not run. With nil the call is sent in any case.
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

    /// Ends a device's link. The link may still exist when bluetoothd answers.
    ///
    /// - Parameter reply: gets nil on success, and also if there was no link.
    func disconnect(_ device: ObjectPath, reply: @escaping @BluetoothActor (DBusError?) -> Void) {
        mirror.setLinkEnding(true, of: device)
        call(device, BlueZ.device, "Disconnect", limit: Timeout.disconnect * 2) { [weak self] result in
            guard let error = result.failure, error.name != "org.bluez.Error.NotConnected" else { return reply(nil) }
            self?.mirror.setLinkEnding(false, of: device)
            reply(error)
        }
    }

    /// Sends a complete call, at once or when there is a place for it. All calls about Bluetooth pass through here.
    ///
    /// - Parameter reply: must give back the lane's place, with the gate's `leave`, when it is done.
    /// - Returns: true if the call was sent at once or was no longer wanted.
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
