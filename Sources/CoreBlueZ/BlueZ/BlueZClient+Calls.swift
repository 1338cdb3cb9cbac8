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
        for operation: AnyOperation? = nil,
        write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in },
        reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) {
        do throws(DBusError) {
            let message = try BlueZ.call(path, interface, member)
            try message.write(write)
            send(message, for: SingleCall(operation, gate, lane, reply), in: lane, limit: TimeLimit(limit))
        } catch {
            BluetoothActor.later { reply(.failure(error)) }
        }
    }

    /// Sets a property, for an operation that ends with the answer.
    func set(
        _ property: String, of path: ObjectPath, _ interface: String, to value: Value, for operation: Operation<Void>
    ) {
        call(path, BlueZ.properties, "Set", limit: Timeouts.discovery * 2, for: operation) {
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

    /// Asks whether a device has a link that was not signalled. From 5.66 on bluetoothd sets `Connected` without a signal
    /// if the link's socket is ready before the kernel reports the link (src/device.c: att_connect_cb,
    /// device_add_connection). Its end is signalled.
    ///
    /// - Parameter done: runs after the answer, with whatever it has changed.
    func findUnsignalledLink(
        of device: ObjectPath, for operation: AnyOperation? = nil, done: @escaping @BluetoothActor () -> Void = {}
    ) {
        call(device, BlueZ.properties, "Get", limit: Timeouts.discovery, for: operation) { (writer) throws(DBusError) in
            try writer.append(BlueZ.device)
            try writer.append("Connected")
        } reply: { [weak self] result in
            if var reader = try? result.get().reader,
                (try? reader.readVariant({ (value) throws(DBusError) in try value.readBoolean() })) == true,
                let self, let change = mirror.takeUnsignalledLink(of: device)
            {
                publish(CollectionOfOne(change))
            }
            done()
        }
    }

    /// Ends a device's link. The link may still exist when bluetoothd answers.
    ///
    /// - Parameter reply: gets nil on success, and also if there was no link.
    func disconnect(_ device: ObjectPath, reply: @escaping @BluetoothActor (DBusError?) -> Void) {
        mirror.setLinkEnding(true, of: device)
        call(device, BlueZ.device, "Disconnect", limit: Timeouts.disconnect * 2) { [weak self] result in
            guard let error = result.failure, error.name != "org.bluez.Error.NotConnected" else { return reply(nil) }
            self?.mirror.setLinkEnding(false, of: device)
            reply(error)
        }
    }

    /// Sends a complete call, at once or when there is a place for it. All calls about Bluetooth pass through here.
    ///
    /// - Returns: whether it was sent at once, or was not wanted.
    @discardableResult
    func send(_ message: Message, for caller: some Caller, in lane: CallGate.Lane, limit: TimeLimit) -> Bool {
        guard gate.enter(lane) else {
            gate.wait(lane) { [weak self] in
                let now = MonotonicInstant.now
                guard caller.willCall(now) else { return false }
                if let self {
                    self.transmit(message, caller, limit, now)
                } else {
                    BluetoothActor.later { caller.receive(.failure(.disconnected())) }
                }
                return true
            }
            return false
        }
        let now = MonotonicInstant.now
        if caller.willCall(now) { transmit(message, caller, limit, now) } else { gate.leave(lane) }
        return true
    }

    private func transmit(_ message: Message, _ caller: some Caller, _ limit: TimeLimit, _ now: MonotonicInstant) {
        guard let connection else { return BluetoothActor.later { caller.receive(.failure(.disconnected())) } }
        connection.call(message, limit: limit, from: now) { caller.receive($0) }
    }
}

/// Whoever calls a method of bluetoothd's. Kept until the answer is there, which may never come: it must not keep the client.
@BluetoothActor protocol Caller: AnyObject {
    /// The call is about to be sent, now. False if it is not wanted any longer.
    func willCall(_ now: MonotonicInstant) -> Bool
    /// Takes the answer, once, and then leaves the gate.
    func receive(_ result: Result<Message, DBusError>)
}

/// A call that is made once.
@BluetoothActor private final class SingleCall: Caller {
    private let isNeeded: Bool
    private weak var operation: AnyOperation?
    private let gate: CallGate
    private let lane: CallGate.Lane
    private let reply: @BluetoothActor (Result<Message, DBusError>) -> Void

    init(
        _ operation: AnyOperation?,
        _ gate: CallGate,
        _ lane: CallGate.Lane,
        _ reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) {
        isNeeded = operation == nil
        self.operation = operation
        self.gate = gate
        self.lane = lane
        self.reply = reply
    }

    func willCall(_ now: MonotonicInstant) -> Bool { isNeeded || operation?.isPending == true }

    func receive(_ result: Result<Message, DBusError>) {
        reply(result)
        gate.leave(lane)
    }
}
