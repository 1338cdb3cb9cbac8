import BlueZClient
import BlueZDBus
import FoundationEssentials

extension LocalCharacteristic {
    /// Sends a value to all subscribers, and keeps it as `value`. Each gets a notification, or an indication if it has
    /// chosen that. Without a subscriber, nothing is sent.
    ///
    /// bluetoothd cuts a value after the MTU minus 3 bytes of each central. It passes on notifications as fast as the
    /// controller takes them, and does not say when a central has received one. If bluetoothd is behind, values wait,
    /// and the completion with them; wait for it if you send many.
    ///
    /// The operation fails with:
    /// - `notSupported` if the characteristic can neither notify nor indicate, `valueTooLong` if the value has more than
    ///   512 bytes.
    /// - `attributeGone` if the service is not published, or is no longer.
    /// - `overflow` if 4,096 values already wait, which then is the case for all characteristics of the manager.
    /// - `daemonUnavailable` or `busUnavailable` if bluetoothd cannot be reached, and `cancelled` if the manager is
    ///   released.
    ///
    /// - Parameters:
    ///   - value: at most 512 bytes.
    ///   - completion: gets nil when the value is on its way to bluetoothd, or the error.
    public func notify(_ value: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startNotifying(value) { completion($0.failure) }
    }

    /// Sends a value to all subscribers; the async form of `notify(_:completion:)`.
    public func notify(_ value: Data) async throws(BluetoothError) {
        if sendsAtOnce(value) { return }
        try await AsyncBridge.wait { startNotifying(value, $0) }
    }

    /// Sends a value to one subscriber. `value` stays as it is.
    ///
    /// This needs BlueZ 5.71 or newer (see `subscribers`), and a subscription that was made on the present link: for
    /// one of an earlier link, bluetoothd acquires no socket. The order relative to values for all subscribers is not
    /// defined. It fails with the same codes as `notify(_:completion:)`, also with `notSupported` if BlueZ is older,
    /// with `invalidArguments` if the value is empty, and with `notConnected` if the central has not subscribed or leaves
    /// before the value is sent.
    ///
    /// - Parameters:
    ///   - value: 1 to 512 bytes.
    ///   - central: the central that gets the value.
    ///   - completion: gets nil when bluetoothd has the value, or the error.
    public func notify(
        _ value: Data, to central: Central, completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startSending(value, to: central, isIndication: false) { completion($0.failure) }
    }

    /// Sends a value to one subscriber; the async form of `notify(_:to:completion:)`.
    public func notify(_ value: Data, to central: Central) async throws(BluetoothError) {
        try await AsyncBridge.wait { startSending(value, to: central, isIndication: false, $0) }
    }

    /// Sends a value to all subscribers, keeps it as `value`, and waits until a central has confirmed it. Only those
    /// centrals confirm that have chosen indications. Indications of one characteristic are sent one after another.
    ///
    /// bluetoothd does not say which central has confirmed (`Confirm` of GattCharacteristic1), so with several
    /// subscribers the completion runs at the first confirmation, and a late one may be that of the value before. So may
    /// the confirmation of a value that was sent with `notify` just before.
    ///
    /// The operation fails with the codes of `notify(_:completion:)`, with `notConnected` if nobody has subscribed or
    /// the last subscriber leaves, and with `timedOut` if no confirmation arrives within 25 s. bluetoothd ends the link
    /// after 30 s, and then reports a confirmation too.
    ///
    /// - Parameters:
    ///   - value: at most 512 bytes.
    ///   - completion: gets nil when a central has confirmed the value, or the error.
    public func indicate(_ value: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startIndicating(value) { completion($0.failure) }
    }

    /// Sends a value to all subscribers, and waits for a confirmation; the async form of `indicate(_:completion:)`.
    public func indicate(_ value: Data) async throws(BluetoothError) {
        try await AsyncBridge.wait { startIndicating(value, $0) }
    }

    /// Sends a value to one subscriber, and waits until it has confirmed it. The central must have chosen indications.
    /// It needs what `notify(_:to:completion:)` needs, and fails with the codes of that and of
    /// `indicate(_:completion:)`.
    public func indicate(
        _ value: Data, to central: Central, completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startSending(value, to: central, isIndication: true) { completion($0.failure) }
    }

    /// Sends a value to one subscriber, and waits for its confirmation; the async form of
    /// `indicate(_:to:completion:)`.
    public func indicate(_ value: Data, to central: Central) async throws(BluetoothError) {
        try await AsyncBridge.wait { startSending(value, to: central, isIndication: true, $0) }
    }

    // MARK: Operations

    /// How long to wait for a confirmation. After 30 s, bluetoothd ends the link.
    private static let confirmationLimit = Duration.seconds(25)

    private typealias Completion = @BluetoothActor (Result<Void, BluetoothError>) -> Void

    private func operation(_ title: String, limit: Duration?, _ completion: @escaping Completion) -> Operation<Void> {
        Operation<Void>(
            title, on: nil, needsConnection: false, limit: limit,
            in: manager?.operations ?? OperationRegistry(), completion: completion)
    }

    @discardableResult
    private func startNotifying(_ value: Data, _ completion: @escaping Completion) -> Operation<Void> {
        let operation = operation(notifyTitle, limit: nil, completion)
        guard let manager = manager(for: operation, value) else { return operation }
        self.value = value
        manager.pacer.send(value, of: self, operation, endsWhenSent: true)
        return operation
    }

    /// Sends a value without an operation, if it need not wait. What prevents that, an operation reports.
    private func sendsAtOnce(_ value: Data) -> Bool {
        guard canNotify, value.count <= Self.maximumValueLength, path != nil, !Task.isCancelled,
            manager?.pacer.sendAtOnce(value, of: self) == true
        else { return false }
        self.value = value
        return true
    }

    @discardableResult
    private func startIndicating(_ value: Data, _ completion: @escaping Completion) -> Operation<Void> {
        let title = "Indicating \(uuid)"
        let operation = operation(title, limit: Self.confirmationLimit, completion)
        guard let manager = manager(for: operation, value, mustIndicate: true) else { return operation }
        self.value = value
        BluetoothActor.perform { [self] in
            guard operation.isPending else { return }
            guard subscriptions.isActive else {
                return operation.fail(BluetoothError(.notConnected, "\(title): nobody has subscribed"))
            }
            indications.append((value, operation))
            operation.whenEnded { [weak self] _ in self?.indicationEnded(operation) }
            guard indications.first?.operation === operation else { return }
            manager.pacer.send(value, of: self, operation, endsWhenSent: false)
        }
        return operation
    }

    /// Sends the next indication.
    private func indicationEnded(_ operation: Operation<Void>) {
        guard let index = indications.firstIndex(where: { $0.operation === operation }) else { return }
        indications.remove(at: index)
        guard index == 0, subscriptions.isActive, let next = indications.first, let manager else { return }
        manager.pacer.send(next.value, of: self, next.operation, endsWhenSent: false)
    }

    /// Handles bluetoothd's report that a central has confirmed an indication. The same report comes if the link ends
    /// first (src/shared/att.c), which is reported after it. So it counts after a round trip, and further reports until
    /// then are those of other centrals.
    func confirmed() {
        guard !isConfirming, let operation = indications.first?.operation, let client = manager?.client else { return }
        isConfirming = true
        client.call(.root, StandardInterface.peer, "Ping", limit: client.timeouts.snapshot) { [weak self] _ in
            self?.isConfirming = false
            if self?.subscriptions.isActive == true { operation.succeed(()) }
        }
    }

    /// Ends the indications that nobody will confirm.
    ///
    /// - Parameter error: the reason; nil if the last subscriber has left.
    func failIndications(_ error: BluetoothError? = nil) {
        for (_, operation) in indications {
            let title = operation.title
            operation.fail(
                error ?? BluetoothError(.notConnected, "\(title): the subscriber has left and has not confirmed"))
        }
    }

    @discardableResult
    private func startSending(
        _ value: Data, to central: Central, isIndication: Bool, _ completion: @escaping Completion
    ) -> Operation<Void> {
        let limit = isIndication ? Self.confirmationLimit : nil
        let operation = operation(isIndication ? "Indicating \(uuid)" : notifyTitle, limit: limit, completion)
        guard let manager = manager(for: operation, value, mustIndicate: isIndication) else { return operation }
        let namesSubscribers = manager.namesSubscribers
        BluetoothActor.perform { [weak self] in
            let title = operation.title
            guard namesSubscribers else {
                return operation.fail(
                    BluetoothError(.notSupported, "\(title): BlueZ before 5.71 does not say who has subscribed"))
            }
            guard !value.isEmpty else {
                return operation.fail(
                    BluetoothError(.invalidArguments, "\(title): an empty value cannot be sent through a socket"))
            }
            guard let socket = self?.subscriptions.sockets[central.path] else {
                return operation.fail(
                    BluetoothError(.notConnected, "\(title): this central has not subscribed on this link"))
            }
            socket.send(value, operation, isIndication: isIndication)
        }
        return operation
    }

    /// Returns the manager, or nil if the operation will fail.
    private func manager(
        for operation: Operation<Void>, _ value: Data, mustIndicate: Bool = false
    ) -> PeripheralManager? {
        var error: BluetoothError?
        if !canNotify || mustIndicate && !properties.contains(.indicate) {
            let what = mustIndicate ? "does not indicate" : "neither notifies nor indicates"
            error = BluetoothError(.notSupported, "\(operation.title): the characteristic \(what)")
        } else if value.count > Self.maximumValueLength {
            error = BluetoothError(
                .valueTooLong, "\(operation.title): \(value.count) bytes, but a value has at most 512")
        } else if let manager, path != nil {
            return manager
        } else {
            error = BluetoothError(.attributeGone, "\(operation.title): its service is not published")
        }
        if let error { BluetoothActor.perform { operation.fail(error) } }
        return nil
    }
}
