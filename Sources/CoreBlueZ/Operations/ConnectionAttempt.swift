import DBus

/// One `connect`, with its retries. BlueZ's answer to Connect is not the whole truth: it may say yes without a link, never
/// come, or say no to a link that another try gets.
@BluetoothActor final class ConnectionAttempt {
    private let peripheral: Peripheral
    private let client: BlueZClient
    private let operation: Operation<Void>
    private let options: ConnectOptions
    private let start = SuspendingClock().now
    private var discovery: Discovery?
    private var retriesLeft: Int

    /// bluetoothd waits this long for an advertisement (the kernel's HCI_LE_CONN_TIMEOUT); it calls running into that the
    /// same as every other failure.
    private static let advertisementWait = Duration.seconds(20)

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
        if !peripheral.isConnected { peripheral.state = .connecting }
        watchDeadline()
        operation.whenEnded { [self] error in end(error) }
        peripheral.isDisconnectWanted = false
        waitForLink()
        guard options.pausesScan, !peripheral.isConnected, let adapter = peripheral.path.parent else { return call() }
        discovery = client.discovery(on: adapter)
        discovery?.pause { [weak self] in self?.call() }
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
        operation.whenEnded { _ in BluetoothActor.loop.cancelScheduled(token) }
    }

    /// Services that are resolved prove the link, also where Connect is never answered.
    private func waitForLink() {
        guard operation.isPending else { return }
        peripheral.linkWaiters.append { [weak self] event in
            guard let self else { return }
            if event == .resolved, self.peripheral.isConnected {
                self.operation.succeed(())
            } else {
                self.waitForLink()
            }
        }
    }

    private func call() {
        guard operation.isPending else { return }
        // The operation holds the attempt while it is pending: an answer that never comes must not hold the peripheral.
        client.call(peripheral.path, BlueZ.device, "Connect", deadline: options.deadline + .seconds(60)) {
            [weak self] result in
            guard let self, self.operation.isPending else { return }
            switch result {
            case .success where self.peripheral.isConnected: self.operation.succeed(())
            case .success:
                self.retry(BluetoothError(.connectionFailed, "\(self.operation.title): the link broke at once"))
            case .failure(let error): self.handle(error)
            }
        }
    }

    private func handle(_ error: DBusError) {
        switch (error.name, error.message) {
        case ("org.bluez.Error.AlreadyConnected", _): operation.succeed(())
        case ("org.bluez.Error.InProgress", _), ("org.bluez.Error.Failed", "Operation already in progress"):
            // Another connect of this device is under way: its link is ours too.
            retryLater(BluetoothError(error, in: .connect, operation.title), countsAsRetry: false)
        case ("org.bluez.Error.Failed", _):
            let reason = BluetoothError(error, in: .connect, operation.title)
            guard reason.code == .connectionFailed else { return operation.fail(reason) }
            if SuspendingClock().now - start >= Self.advertisementWait {
                var late = reason
                late.code = .connectionTimedOut
                operation.fail(late)
            } else {
                retry(reason)
            }
        default: operation.fail(BluetoothError(error, in: .connect, operation.title))
        }
    }

    private func retry(_ error: BluetoothError) {
        guard retriesLeft > 0 else { return operation.fail(error) }
        retriesLeft -= 1
        retryLater(error, countsAsRetry: true)
    }

    /// Not before `Connected` is false: within two seconds of a disconnection bluetoothd takes the old link for the new one
    /// (src/device.c: DISCONNECT_TIMER).
    private func retryLater(_ error: BluetoothError, countsAsRetry: Bool) {
        log.debug("Trying to connect again", metadata: ["error": "\(error)", "left": "\(retriesLeft)"])
        _ = BluetoothActor.after(.milliseconds(countsAsRetry ? 300 : 500)) { [weak self] in
            guard let self, self.operation.isPending else { return }
            if self.peripheral.isConnected { self.operation.succeed(()) } else { self.call() }
        }
    }

    private func end(_ error: BluetoothError?) {
        discovery?.resume()
        discovery = nil
        guard peripheral.state == .connecting else { return }
        peripheral.state = peripheral.isConnected ? .connected : .disconnected
        guard let error, [.connectionTimedOut, .cancelled].contains(error.code) else { return }
        // Otherwise the link comes up later and belongs to nobody.
        client.call(peripheral.path, BlueZ.device, "Disconnect", deadline: Deadline.disconnect) { _ in }
        peripheral.state = .disconnected
    }
}
