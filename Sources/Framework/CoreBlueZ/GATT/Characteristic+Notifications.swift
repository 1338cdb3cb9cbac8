import BlueZClient
import BlueZDBus
import FoundationEssentials

extension Characteristic {
    /// Switches notifications or indications on or off. Values are passed to `Service.notificationHandler(_:error:)` or
    /// the service's `updateHandler`, and to `notifications()`.
    ///
    /// If another program has subscribed to the same characteristic, bluetoothd broadcasts each value once for each
    /// subscribed program, so every value arrives twice (src/gatt-client.c: notify_cb). `acquireNotify` avoids that.
    ///
    /// Values may arrive before the completion runs. Notifications end with the link.
    ///
    /// The operation fails with these codes, in addition to those of every operation (see ``Peripheral``):
    /// - `notSupported` if the characteristic can neither notify nor indicate.
    /// - `notConnected` or `disconnected` if there is no link, or the link ends.
    /// - `notDiscovered` or `attributeGone` if the characteristic is not discovered, or is gone.
    /// - `insufficientSecurity`, `notAuthorized` or `att` if the peripheral requires pairing, or rejects the request.
    /// - `busy` if another program has acquired the notifications, or is changing them.
    /// - `timedOut` if there is no response within `CentralManager.attributeTimeout`.
    ///
    /// - Parameters:
    ///   - isOn: whether notifications should be on. Requesting the current state succeeds.
    ///   - completion: gets nil when notifications are on or off, or the error.
    public func setNotifyValue(_ isOn: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startNotifyingAsWanted(isOn) { completion($0.failure) }
    }

    /// Switches notifications or indications on or off; the async form of `setNotifyValue(_:completion:)`.
    public func setNotifyValue(_ isOn: Bool) async throws(BluetoothError) {
        try await AsyncBridge.wait { startNotifyingAsWanted(isOn, $0) }
    }

    /// A closure that receives the value of each notification, or the error that has ended the notifications.
    public typealias ValueHandler = @BluetoothActor (Data?, BluetoothError?) -> Void

    /// Switches notifications on, and passes each value to a closure in addition to the service's handler. A later call
    /// replaces the closure, and `setNotifyValue(false)` removes it. The closure stays when
    /// `Peripheral.reconnectPolicy` restores a link. It fails with the codes of `setNotifyValue(_:completion:)`.
    ///
    /// - Parameters:
    ///   - handler: called with each value, and with an error when notifications end with the link. Values may arrive
    ///     before the completion runs.
    ///   - completion: gets nil when notifications are on. If it gets an error, the closure is released.
    public func startNotifying(
        _ handler: @escaping ValueHandler,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startGiving(values: handler) { completion($0.failure) }
    }

    /// Switches notifications on, and passes each value to a closure; the async form of
    /// `startNotifying(_:completion:)`.
    public func startNotifying(_ handler: @escaping ValueHandler) async throws(BluetoothError) {
        try await AsyncBridge.wait { startGiving(values: handler, $0) }
    }

    /// Switches notifications on, and returns their values as a sequence. It ends when notifications are switched off.
    /// It throws `disconnected` when the link ends, or the code of what ended it (see ``Peripheral``). When it has no
    /// consumer (the task was cancelled, the sequence was released, or it has overflowed), notifications are switched
    /// off, unless `setNotifyValue` requested them too. This method throws the codes of `setNotifyValue(_:completion:)`.
    ///
    /// The values of one sequence have the order of their arrival. Two sequences are read independently: if the order of
    /// several characteristics' values matters, use `startNotifying(_:)`, whose closures run in that order.
    ///
    /// - Parameter limit: how many values are buffered for a slow consumer. If there are more, the sequence throws
    ///   `BluetoothError.Code.overflow`. No value is dropped silently.
    public func notifications(bufferingUpTo limit: Int = 1024) async throws(BluetoothError) -> EventSequence<Data> {
        let buffer = EventSequence<Data>.Buffer(limit: limit)
        try await AsyncBridge.wait { startSubscribing(buffer, $0) }
        buffer.whenEnded { [weak self, identifier = ObjectIdentifier(buffer)] in self?.sequenceDidEnd(identifier) }
        return EventSequence(buffer)
    }

    // MARK: Requests

    /// Switches notifications on or off, as the program requested with `setNotifyValue`.
    @discardableResult
    func startNotifyingAsWanted(
        _ isOn: Bool,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> AttributeOperation<Void> {
        isOn ? startSubscribing(nil, completion) : startUnsubscribing(completion) { true }
    }

    @discardableResult
    private func startGiving(
        values handler: @escaping ValueHandler,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> AttributeOperation<Void> {
        let earlier = valueHandler
        valueHandler = handler
        let changes = valueHandlerChanges
        let request = startNotifyingAsWanted(true, completion)
        request.whenEnded { [weak self] error in
            // A later call may have replaced the closure in the meantime.
            if error != nil, self?.valueHandlerChanges == changes { self?.valueHandler = earlier }
        }
        return request
    }

    /// Switches notifications on if they are off, and passes their values to a sequence.
    ///
    /// - Parameter buffer: the sequence's buffer; nil if notifications should stay on without one.
    @discardableResult
    func startSubscribing(
        _ buffer: EventSequence<Data>.Buffer?,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> AttributeOperation<Void> {
        let request = AttributeOperation<Void>("Subscribing to", .notify, of: self, completion: .result(completion)) {
            (_, path) throws(DBusError) in
            try BlueZ.call(path, BlueZ.gattCharacteristic, "StartNotify")
        }
        pendingSubscriptions += 1
        request.whenEnded { [weak self] _ in self?.pendingSubscriptions -= 1 }
        return request.start { [self] in switchOn($0, buffer) }
    }

    /// Switches notifications off, unless they are wanted again when the request is sent.
    @discardableResult
    private func startUnsubscribing(
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void,
        if isWanted: @escaping @BluetoothActor () -> Bool
    ) -> AttributeOperation<Void> {
        let request = AttributeOperation<Void>(
            "Unsubscribing from", .notify, in: .control, of: self, completion: .result(completion)
        ) {
            (_, path) throws(DBusError) in
            try BlueZ.call(path, BlueZ.gattCharacteristic, "StopNotify")
        } take: { (request, reply) throws(DBusError) in
            // The notifications were already off.
            if reply.failure?.message != "No notify session started" { _ = try reply.get() }
            request.succeed(())
        }
        return request.start { [self] _ in isWanted() ? switchOff() : .success(()) }
    }

    /// Handles the end of a sequence's consumer. After the last one, notifications are switched off, unless something
    /// else needs them.
    func sequenceDidEnd(_ identifier: ObjectIdentifier) {
        guard removeBuffer(identifier), isNotifying, !needsNotifications else { return }
        startUnsubscribing({ _ in }) { [weak self] in self?.needsNotifications == false }
    }

    private func switchOn(
        _ request: AttributeOperation<Void>, _ buffer: EventSequence<Data>.Buffer?
    ) -> Result<Void, BluetoothError>? {
        guard let client, let path, path == request.subject else {
            return .failure(unboundError(request.title))
        }
        guard !properties.isDisjoint(with: [.notify, .indicate]) else {
            let text = "\(request.title): it can neither notify nor indicate; read it instead"
            return .failure(BluetoothError(.notSupported, text))
        }
        if let buffer { add(buffer) } else { areNotificationsWanted = true }
        guard !isNotifying else { return .success(()) }
        isNotifying = true
        guard client.channels.subscribe(self, at: path) else { return .success(()) }
        request.whenEnded { [weak self, weak client] error in
            guard error != nil, let self else { return }
            self.isNotifying = false
            self.areNotificationsWanted = false
            if let buffer { self.removeBuffer(ObjectIdentifier(buffer)) }
            guard let client, client.channels.unsubscribe(ObjectIdentifier(self), at: path) else { return }
            if client.isConnected(path) { client.channels.stopNotify(path) }
        }
        return nil
    }

    private func switchOff() -> Result<Void, BluetoothError>? {
        guard isNotifying, let client, let path else { return .success(()) }
        isNotifying = false
        areNotificationsWanted = false
        valueHandler = nil
        finishSequences(nil)
        return client.channels.unsubscribe(ObjectIdentifier(self), at: path) ? nil : .success(())
    }
}
