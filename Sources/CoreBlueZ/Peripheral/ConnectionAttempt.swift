import DBus

/// One `connect`, with its retries. BlueZ's answer to Connect is not the whole truth: it may say yes without a link,
/// never come, or say no to a link that another try gets.
@BluetoothActor final class ConnectionAttempt {
    private let peripheral: Peripheral
    private let client: BlueZClient
    private let operation: Operation<Void>
    private let options: ConnectOptions
    private var start = SuspendingClock().now
    private var discovery: Discovery?
    private var retriesLeft: Int
    private var isWaitingForEnd = false
    private var hasTriedLE = false
    private var hasCalled = false

    init(
        _ peripheral: Peripheral,
        _ client: BlueZClient,
        _ operation: Operation<Void>,
        _ options: ConnectOptions
    ) {
        self.peripheral = peripheral
        self.client = client
        self.operation = operation
        self.options = options
        retriesLeft = max(0, options.retries)
    }

    func begin() {
        guard operation.isPending else { return }
        guard peripheral.properties != nil else { return operation.fail(peripheral.goneError) }
        guard isAdapterOn else { return failForPower() }
        peripheral.attempts[ObjectIdentifier(operation)] = operation
        operation.whenEnded { [self] error in end(error) }
        waitForLink()
        guard !hasLink else { return begin(call) }
        if !peripheral.isConnected {
            peripheral.isDisconnectWanted = false
            peripheral.state = .connecting
        }
        guard let adapter = peripheral.path.parent else { return begin(call) }
        operation.wait(atMost: peripheral.central?.queueTimeout ?? Deadline.queue)
        client.turns.take(on: adapter, during: operation, forAtMost: client.limits.connectTurn) { [weak self] in
            guard let self else { return }
            self.begin { self.pauseAndCall(adapter) }
        }
    }

    /// The turn has come, and the time begins.
    private func begin(_ body: @BluetoothActor () -> Void) {
        guard operation.isPending else { return }
        operation.stopWaiting()
        start = SuspendingClock().now
        watchDeadline()
        body()
    }

    private func pauseAndCall(_ adapter: ObjectPath) {
        guard operation.isPending else { return }
        guard options.pausesScan else { return call() }
        discovery = client.discovery(on: adapter)
        discovery?.pause { [weak self] in self?.call() }
    }

    /// Whether there is a link that stays.
    private var hasLink: Bool { peripheral.isConnected && !client.isDisconnecting(peripheral.path) }

    private var isAdapterOn: Bool {
        peripheral.path.parent.flatMap { client.mirror.adapters[$0] }?.isPowered ?? true
    }

    /// bluetoothd itself says "Input/output error" then.
    private func failForPower() {
        operation.fail(
            BluetoothError(.adapterOff, "\(operation.title): the adapter is off; switch it on: bluetoothctl power on"))
    }

    private func watchDeadline() {
        let token = BluetoothActor.after(options.deadline) { [weak operation, options, peripheral] in
            operation?.fail(
                BluetoothError(
                    .connectionTimedOut,
                    "\(peripheral.displayName) could not be connected within \(options.deadline); is it in range and on?"
                )
            )
        }
        operation.whenEnded { _ in token.cancel() }
    }

    /// Services that are resolved prove the link, also where Connect is never answered.
    private func waitForLink() {
        peripheral.observeLink(during: operation) { [weak self] event in
            guard let self else { return }
            if event == .resolved, self.hasLink { return self.succeed() }
            guard event == .disconnected, self.isWaitingForEnd else { return }
            self.isWaitingForEnd = false
            self.call()
        }
    }

    private func call() {
        guard operation.isPending else { return }
        guard !client.isDisconnecting(peripheral.path) else {
            isWaitingForEnd = true
            return
        }
        if !peripheral.isConnected { peripheral.state = .connecting }
        hasCalled = true
        // The operation holds the attempt while it is pending: an answer that never comes must not hold the peripheral.
        client.call(
            peripheral.path, BlueZ.device, "Connect", in: .link, limit: options.deadline + .seconds(60),
            for: operation
        ) { [weak self] result in
            guard let self, self.operation.isPending else { return }
            switch result {
            case .success where self.hasLink: self.succeed()
            case .success:
                self.retry(BluetoothError(.connectionFailed, "\(self.operation.title): the link broke at once"))
            case .failure(let error): self.handle(error)
            }
        }
    }

    private func handle(_ error: DBusError) {
        switch (error.name, error.message) {
        case ("org.bluez.Error.AlreadyConnected", _) where hasLink: succeed()
        case ("org.bluez.Error.Failed", _) where !isAdapterOn: failForPower()
        case ("org.bluez.Error.InProgress", _), ("org.bluez.Error.Failed", "Operation already in progress"):
            // Another connect of this device is under way: its link is ours too.
            retryLater(BluetoothError(error, in: .connect, operation.title), countsAsRetry: false)
        case ("org.bluez.Error.Failed", _):
            let reason = BluetoothError(error, in: .connect, operation.title)
            if reason.code == .wrongBearer { return tryLE(reason) }
            guard reason.code == .connectionFailed else { return operation.fail(reason) }
            if SuspendingClock().now - start >= client.limits.advertisement {
                var late = reason
                late.code = .connectionTimedOut
                operation.fail(late)
            } else {
                retry(reason)
            }
        default:
            let reason = BluetoothError(error, in: .connect, operation.title)
            if reason.code == .wrongBearer { tryLE(reason) } else { operation.fail(reason) }
        }
    }

    /// BlueZ took BR/EDR on a device that has both. With `--experimental` it can be told to take LE: by the device's LE
    /// interface (its Connect is younger than the interface), or else by a property. Once: then the reason stands.
    private func tryLE(_ reason: BluetoothError) {
        guard !hasTriedLE, let properties = peripheral.properties else { return operation.fail(reason) }
        hasTriedLE = true
        let deadline = options.deadline + .seconds(60)
        if properties.hasLEBearer {
            client.call(peripheral.path, BlueZ.leBearer, "Connect", limit: deadline) { [weak self] result in
                guard let self, self.operation.isPending else { return }
                if case .success = result, self.hasLink { self.succeed() } else { self.preferLE(reason) }
            }
        } else {
            preferLE(reason)
        }
    }

    private func preferLE(_ reason: BluetoothError) {
        guard let bearer = peripheral.properties?.preferredBearer, bearer != "le" else { return operation.fail(reason) }
        client.call(peripheral.path, BlueZ.properties, "Set", limit: Deadline.discovery) {
            (writer) throws(DBusError) in
            try writer.append(BlueZ.device)
            try writer.append("PreferredBearer")
            try writer.append(.variant(.string("le")))
        } reply: { [weak self] result in
            guard let self, self.operation.isPending else { return }
            if result.isSuccess { self.call() } else { self.operation.fail(reason) }
        }
    }

    private func retry(_ error: BluetoothError) {
        guard retriesLeft > 0 else { return operation.fail(error) }
        retriesLeft -= 1
        retryLater(error, countsAsRetry: true)
    }

    /// Not before `Connected` is false: within two seconds of a disconnection bluetoothd takes the old link for the new
    /// one (src/device.c: DISCONNECT_TIMER).
    private func retryLater(_ error: BluetoothError, countsAsRetry: Bool) {
        log.debug("Trying to connect again", metadata: ["error": "\(error)", "left": "\(retriesLeft)"])
        _ = BluetoothActor.after(.milliseconds(countsAsRetry ? 300 : 500)) { [weak self] in
            guard let self, self.operation.isPending else { return }
            if self.hasLink { self.succeed() } else { self.call() }
        }
    }

    private func succeed() {
        if peripheral.state == .connecting { peripheral.hasMadeLink = true }
        operation.succeed(())
    }

    private func end(_ error: BluetoothError?) {
        peripheral.attempts[ObjectIdentifier(operation)] = nil
        discovery?.resume()
        discovery = nil
        guard peripheral.state == .connecting else { return }
        peripheral.state = peripheral.isConnected ? .connected : .disconnected
        guard hasCalled, let error, [.connectionTimedOut, .cancelled].contains(error.code) else { return }
        // Otherwise the link comes up later and belongs to nobody.
        client.call(peripheral.path, BlueZ.device, "Disconnect", limit: Deadline.disconnect) { _ in }
        peripheral.state = .disconnected
    }
}
