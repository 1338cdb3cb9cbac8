import BlueZDBus

/// The calls of bluetoothd's methods.
extension BlueZClient {
    /// Calls a method of one of bluetoothd's objects. The limit is a backstop. Operations have their own, shorter one.
    ///
    /// - Parameters:
    ///   - kind: the kind of call, whose limiter is used.
    ///   - operation: the operation that needs the call. If it has ended by the time the call gets a slot, the call is
    ///     not sent, and `reply` does not run. With nil the call is always sent.
    package func call(
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        in kind: CallLimiter.Kind = .control,
        limit: Duration,
        for operation: AnyOperation? = nil,
        write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in },
        reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) {
        do throws(DBusError) {
            let message = try BlueZ.call(path, interface, member)
            try message.write(write)
            let call = MethodCall(
                message, at: path, for: operation, limit: TimeLimit(limit), in: limiters[kind], reply: reply)
            call.perform()
        } catch {
            BluetoothActor.perform { reply(.failure(error)) }
        }
    }

    /// Sets a property. The operation ends with the reply.
    package func set(
        _ property: String, of path: ObjectPath, _ interface: String, to value: Value, for operation: Operation<Void>
    ) {
        call(path, BlueZ.properties, "Set", limit: Timeouts.discovery * 2, for: operation) {
            (writer) throws(DBusError) in
            try writer.append(.string(interface))
            try writer.append(.string(property))
            try writer.append(.variant(value))
        } reply: { result in
            operation.finish(result.map { _ in }.mapError { BluetoothError($0, in: .other, operation.title) })
        }
    }

    /// Finds a link that was not signalled. From 5.66 on, bluetoothd sets `Connected` without a signal if the link's
    /// socket is ready before the kernel reports the link (src/device.c: att_connect_cb, device_add_connection). Its
    /// end is signalled.
    ///
    /// - Parameter done: called after the reply and its changes.
    func findUnsignalledLink(of device: ObjectPath, done: @escaping @BluetoothActor () -> Void = {}) {
        askForLink(to: device) { [weak self] isConnected in
            if isConnected == true, let self, let change = mirror.takeUnsignalledLink(of: device) {
                publish(CollectionOfOne(change))
            }
            done()
        }
    }

    /// Asks bluetoothd whether a device is connected.
    ///
    /// - Parameter reply: gets the answer; nil if there is none.
    func askForLink(to device: ObjectPath, reply: @escaping @BluetoothActor (Bool?) -> Void) {
        call(device, BlueZ.properties, "Get", limit: Timeouts.discovery) { (writer) throws(DBusError) in
            try writer.append(BlueZ.device)
            try writer.append("Connected")
        } reply: { result in
            guard var reader = try? result.get().reader else { return reply(nil) }
            reply(try? reader.readVariant { (value) throws(DBusError) in try value.readBoolean() })
        }
    }

    /// Ends a device's link. The link may still exist when bluetoothd replies.
    ///
    /// - Parameter reply: gets nil if the link ended or there was none.
    package func disconnect(_ device: ObjectPath, reply: @escaping @BluetoothActor (DBusError?) -> Void) {
        mirror.setLinkEnding(true, of: device)
        let calls = linkCalls[device] ?? []
        call(device, BlueZ.device, "Disconnect", limit: Timeouts.disconnect * 2) { [weak self] result in
            guard let error = result.failure, error.bluezName != .notConnected else {
                // bluetoothd has replied to them, but the replies may be lost.
                for call in calls { call.end() }
                return reply(nil)
            }
            self?.mirror.setLinkEnding(false, of: device)
            reply(error)
        }
    }
}
