import BlueZClient
import BlueZDBus

extension Peripheral {
    /// Connects the peripheral. If there is already a link, whichever program made it, that link is used.
    ///
    /// It fails with these codes, in addition to those of every operation (see ``Peripheral``):
    /// - `connectionFailed` if the link does not come up, or breaks immediately, even after the retries.
    /// - `connectionTimedOut` if the timeout expires, or bluetoothd receives no advertisement in time.
    /// - `timedOut` if the attempt has waited for earlier attempts for as long as `CentralManager.queueTimeout`.
    /// - `wrongBearer` if bluetoothd uses BR/EDR although `ConnectOptions.transport` is `le`.
    /// - `notSupported` if the device and bluetoothd have no BR/EDR profile in common, or the adapter does not support
    ///   the link.
    /// - `bondLost` if the peripheral has forgotten its pairing, and `insufficientSecurity` if pairing fails.
    /// - `cancelled` if `disconnect` is called in the meantime.
    ///
    /// - Parameters:
    ///   - options: the timeout, the number of retries, and the transport.
    ///   - completion: gets nil when the link is up, or the error.
    public func connect(
        options: ConnectOptions = ConnectOptions(),
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startConnecting(options) { completion($0.failure) }
    }

    /// Connects; the async form of `connect(options:completion:)`. Cancelling the task ends the attempt.
    ///
    /// If the attempt fails, this returns when bluetoothd has ended it too, up to 15 s later: if the program exited
    /// before that, the link could still come up, and would stay.
    public func connect(options: ConnectOptions = ConnectOptions()) async throws(BluetoothError) {
        do throws(BluetoothError) {
            try await AsyncBridge.wait { startConnecting(options, $0) }
        } catch {
            try? await AsyncBridge.waitRegardless { startWaitingForEnd($0) }
            throw error
        }
    }

    /// Ends the link, whichever program made it, or the attempts to make one.
    ///
    /// BlueZ shares one link among all programs, so the others lose it too. To end only what your program has made, call
    /// `disconnectOwnLink(completion:)` instead. To keep the link in any case, release the manager or call
    /// `CentralManager.removePeripheral(_:)`, which only ends the subscriptions.
    ///
    /// Disconnecting a peripheral that is not connected succeeds. The operation fails with `timedOut` if the link does
    /// not end within 15 s, and with the codes of every operation (see ``Peripheral``).
    ///
    /// - Parameter completion: gets nil when there is no link, or the error.
    public func disconnect(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startDisconnecting { completion($0.failure) }
    }

    /// Ends the link; the async form of `disconnect(completion:)`. It also works in a cancelled task, so that tasks can
    /// clean up.
    public func disconnect() async throws(BluetoothError) {
        try await AsyncBridge.waitRegardless { startDisconnecting($0) }
    }

    /// Ends the link if this program made it, and the attempts to make one. Links and attempts of other programs stay.
    ///
    /// A link is this program's if it came up while bluetoothd was connecting for this program. It is not if bluetoothd
    /// refused to connect because another program was connecting, and `connect` then used that program's link. The
    /// operation fails with the codes of `disconnect(completion:)`.
    ///
    /// - Parameter completion: gets nil when there is no link of this program, or the error.
    public func disconnectOwnLink(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startDisconnectingOwnLink { completion($0.failure) }
    }

    /// Ends the link if this program made it; the async form of `disconnectOwnLink(completion:)`. It also works in a
    /// cancelled task.
    public func disconnectOwnLink() async throws(BluetoothError) {
        try await AsyncBridge.waitRegardless { startDisconnectingOwnLink($0) }
    }

    /// Whether this program made the link, through this object; see `disconnectOwnLink(completion:)`.
    public var hasOwnLink: Bool { link.isOurs }

    @discardableResult
    func startConnecting(
        _ options: ConnectOptions,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation: Operation<Void> = begin("Connecting to", needsConnection: false, limit: nil) {
            [weak self] result in
            completion(result)
            if let error = result.failure { self?.reportFailure(error) }
        }
        guard let client = client(for: operation) else { return operation }
        central?.willConnect()
        let attempt = ConnectionAttempt(self, client, operation, options)
        // Runs on the actor's own thread, without libdispatch (see `BluetoothActor.run`).
        Task(executorPreference: BluetoothActor.loop) { await attempt.run() }
        return operation
    }

    private func reportFailure(_ error: BluetoothError) {
        guard error.code != .cancelled, let central else { return }
        central.didFailToConnect(self, error: error)
        central.tell(.failedToConnect(self, error))
    }

    /// - Parameter endsReconnection: whether the program no longer wants the link.
    @discardableResult
    func startDisconnecting(
        andReconnection endsReconnection: Bool = true,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation: Operation<Void> = begin(
            "Disconnecting", needsConnection: false, limit: Timeouts.disconnect, completion
        )
        if endsReconnection { cancelReconnection() }
        guard let client = central?.client, properties != nil else {
            BluetoothActor.perform { operation.succeed(()) }
            return operation
        }
        link.cancelAttempts()
        link.handle(.disconnection)
        operation.whenEnded { [link] error in link.handle(error == nil ? .disconnected : .refusal) }
        client.disconnect(path) { [self] error in
            if let error {
                operation.fail(BluetoothError(error, in: .disconnect, operation.title))
            } else if isConnected {
                link.observe(during: operation) { if $0 == .disconnected { operation.succeed(()) } }
            } else {
                operation.succeed(())
            }
        }
        return operation
    }

    @discardableResult
    func startDisconnectingOwnLink(
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        if link.state == .up, link.isOurs { return startDisconnecting(completion) }
        if link.state != .ending || !link.isOurs {
            // One call of Disconnect at most: the next one might end what another program has begun by then.
            cancelReconnection()
            link.cancelAttempts()
        }
        return startWaitingForEnd(completion)
    }

    /// Waits for the end of a link, or of an attempt, that the program has already requested.
    private func startWaitingForEnd(
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation: Operation<Void> = begin(
            "Disconnecting", needsConnection: false, limit: Timeouts.disconnect, completion
        )
        if link.state == .ending, link.isOurs {
            link.observe(during: operation) { if $0 == .disconnected { operation.succeed(()) } }
        } else {
            link.whenWithdrawn { operation.succeed(()) }
        }
        return operation
    }

    // MARK: What bluetoothd reports

    func propertiesDidChange(_ changes: DeviceProperties.Changes) {
        feed.noteChange()
        guard changes.concernLink || changes.contains(.name), let properties else { return }
        if changes.contains(.name), let name = properties.name, name != reportedName {
            reportedName = name
            didUpdateName()
            central?.tell(.nameChanged(self))
        }
        if changes.contains(.connected) {
            if properties.isConnected {
                link.handle(.link)
                link.report(.connected)
            } else {
                didLoseConnection(link.state == .ending ? nil : lossError(properties.disconnection))
            }
        }
        if changes.contains(.servicesResolved), properties.areServicesResolved {
            link.report(.resolved)
            if areChangedServicesUnreported { reportChangedServices() }
        }
    }

    private func lossError(_ reason: DBusError?) -> BluetoothError {
        guard !link.isRemovalWanted else {
            return BluetoothError(.peripheralGone, "\(displayName) was removed, and its link with it; scan again")
        }
        guard let reason else { return BluetoothError(.disconnected, "The link to \(displayName) was lost") }
        return BluetoothError(.disconnected, "The link to \(displayName) was lost", from: reason)
    }

    /// Handles the end of the link: operations fail first, then observers are called.
    func didLoseConnection(_ error: BluetoothError?) {
        hasDiscoveredServices = false
        areChangedServicesUnreported = false
        let wasKnown = link.state.isKnown
        prepareToReconnect(error, wasKnown: wasKnown)
        link.handle(.loss)
        let reason = error ?? BluetoothError(.disconnected, "\(displayName) was disconnected")
        central?.operations.failConnected(below: path, reason)
        for service in services { service.linkDidEnd(reason) }
        link.report(.disconnected)
        guard wasKnown else { return }
        didDisconnect(error)
        if !isReconnecting {
            keptHandler?(.stopped(error))
        } else if let error {
            keptHandler?(.disconnected(error))
        }
    }

    /// Handles the removal of the device's object, which also ends the link.
    func wasRemoved() {
        let error = BluetoothError(.peripheralGone, "BlueZ removed \(displayName); scan again")
        central?.operations.failAll(below: path, error)
        if state != .disconnected { didLoseConnection(error) }
        unbind()
    }

    /// Ends the subscriptions when the manager is released. The link stays up, unless this object made it and it should
    /// end.
    func leave(_ client: BlueZClient, _ error: BluetoothError, endingLink: Bool) {
        feed.noteChange()
        for service in services { service.leave(client, error) }
        guard endingLink, link.isOurs, link.state != .ending, client.isConnected(path) else { return }
        client.disconnect(path) { _ in }
    }
}
