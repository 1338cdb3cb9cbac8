import DBus
import FoundationEssentials

extension Characteristic {
    /// Switches notifications or indications on or off. Values then go to `Service.notificationHandler(_:error:)`, or
    /// the service's `notificationClosure`, and to `notifications()`.
    ///
    /// Where another program is subscribed to the same characteristic, bluetoothd tells each value once for each program,
    /// and to all: values then come twice (src/gatt-client.c: notify_cb). `acquireNotify` does not know that.
    ///
    /// Values may arrive before the completion. Notifications end with the link.
    /// - Parameters:
    ///   - isOn: whether they shall be on. Asking for what is so already succeeds.
    ///   - completion: gets nil, or why not: `notSupported` where the characteristic cannot notify.
    public func setNotifyValue(_ isOn: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startNotifyingAsWanted(isOn) { completion($0.failure) }
    }

    /// As the program asked by `setNotifyValue`.
    @discardableResult
    func startNotifyingAsWanted(
        _ isOn: Bool,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        areNotificationsWanted = isOn
        return startNotifying(isOn) { [weak self] result in
            if isOn, result.failure != nil { self?.areNotificationsWanted = false }
            completion(result)
        }
    }

    /// The consumer of a sequence takes nothing more: with the last one notifications end, unless they are wanted
    /// besides.
    func sequenceDidEnd(_ identifier: ObjectIdentifier) {
        guard removeBuffer(identifier), isNotifying, !needsNotifications else { return }
        let operation: Operation<Void> = begin("Unsubscribing from") { _ in }
        guard let (client, path) = target(operation) else { return }
        client.queue.enqueue(operation, at: path) { [self] in
            if needsNotifications { operation.succeed(()) } else { switchOff(operation, client, path) }
        }
    }

    @discardableResult
    func startNotifying(
        _ isOn: Bool,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation: Operation<Void> = begin(isOn ? "Subscribing to" : "Unsubscribing from", completion)
        guard let (client, path) = target(operation) else { return operation }
        client.queue.enqueue(operation, at: path) { [self] in
            if isOn { switchOn(operation, client, path) } else { switchOff(operation, client, path) }
        }
        return operation
    }

    private func switchOn(_ operation: Operation<Void>, _ client: BlueZClient, _ path: ObjectPath) {
        guard !isNotifying else { return operation.succeed(()) }
        guard !properties.isDisjoint(with: [.notify, .indicate]) else {
            return operation.fail(
                BluetoothError(.notSupported, "\(operation.title): it can neither notify nor indicate"))
        }
        isNotifying = true
        guard client.channels.subscribe(self, at: path) else { return operation.succeed(()) }
        operation.whenEnded { [weak self] error in
            guard error != nil else { return }
            self?.isNotifying = false
            guard let self, client.channels.unsubscribe(ObjectIdentifier(self), at: path) else { return }
            if self.service?.peripheral?.isConnected == true { client.channels.stopNotify(path) }
        }
        call("StartNotify", operation, client, path)
    }

    private func switchOff(_ operation: Operation<Void>, _ client: BlueZClient, _ path: ObjectPath) {
        guard isNotifying else { return operation.succeed(()) }
        isNotifying = false
        finishSequences(nil)
        guard client.channels.unsubscribe(ObjectIdentifier(self), at: path) else { return operation.succeed(()) }
        call("StopNotify", operation, client, path)
    }

    private func call(_ member: String, _ operation: Operation<Void>, _ client: BlueZClient, _ path: ObjectPath) {
        let isStop = member == "StopNotify"
        AttributeCall(
            operation: operation,
            client: client,
            path: path,
            request: .notify,
            build: { () throws(DBusError) in
                let message = try Message.methodCall(
                    to: BlueZ.service, path: path, interface: BlueZ.gattCharacteristic, member: member
                )
                message.forbidAutoStart()
                return message
            },
            read: { (_) throws(DBusError) in },
            // What is off already is as wanted.
            recover: { error in isStop && error.message == "No notify session started" ? () : nil }
        )
        .send()
    }
}
