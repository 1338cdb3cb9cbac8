import BlueZClient
import BlueZDBus

/// The attempts to restore a lost link and its subscriptions. The peripheral owns this object.
@BluetoothActor final class Reconnection {
    /// A subscription, identified by UUIDs because the objects may be different ones afterwards.
    private struct Subscription {
        let characteristic: Characteristic
        let service: (uuid: BluetoothUUID, index: Int)
        let index: Int
    }

    private weak var peripheral: Peripheral?
    private let policy: ReconnectPolicy
    private var subscriptions: [Subscription] = []
    private var attempt = 0
    private var timer: ScheduledCall?
    private var current: AnyOperation?
    /// Whether the program still wants the link back.
    private var isActive: Bool { peripheral?.link.reconnection === self }

    init(_ peripheral: Peripheral, _ policy: ReconnectPolicy) {
        self.peripheral = peripheral
        self.policy = policy
    }

    isolated deinit {
        timer?.cancel()
    }

    /// Notes the subscriptions before the link's end removes them.
    func noteSubscriptions() {
        guard let peripheral else { return }
        for service in peripheral.services {
            for characteristic in service.characteristics where characteristic.isNotifying {
                guard !subscriptions.contains(where: { $0.characteristic === characteristic }) else { continue }
                let twins = peripheral.services.filter { $0.uuid == service.uuid }
                let sameCharacteristics = service.characteristics.filter { $0.uuid == characteristic.uuid }
                subscriptions.append(
                    Subscription(
                        characteristic: characteristic,
                        service: (service.uuid, twins.firstIndex { $0 === service } ?? 0),
                        index: sameCharacteristics.firstIndex { $0 === characteristic } ?? 0
                    ))
            }
        }
    }

    /// Tries after the policy's delay or the given one.
    func schedule(after delay: Duration? = nil) {
        guard isActive, timer == nil else { return }
        timer = BluetoothActor.after(delay ?? policy.delay(beforeAttempt: attempt)) { [weak self] in
            self?.timer = nil
            self?.begin()
        }
    }

    /// Cancels everything, because the program no longer wants the link.
    func cancel() {
        timer?.cancel()
        timer = nil
        current.take()?.fail(.cancelled("Connecting again"))
    }

    // MARK: One attempt

    private func begin() {
        guard isActive, let peripheral, let central = peripheral.central else { return }
        attempt += 1
        peripheral.keptHandler?(.connecting(peripheral))
        // The handler that was just called may have cancelled it.
        guard isActive else { return }
        current = central.startWaiting(policy.options.timeout) { [weak self] in
            self?.next($0) { $0.find() }
        }
    }

    /// Scans for the peripheral if bluetoothd has forgotten it, as it does unless the peripheral is paired or trusted.
    private func find() {
        guard let peripheral, let central = peripheral.central else { return }
        guard peripheral.properties == nil else { return connect() }
        let options = ScanOptions(duration: policy.options.timeout, transport: policy.options.transport)
        let scan = Scan(for: peripheral.path, options: options)
        current = central.startScan(scan) { [weak self] in self?.next($0) { $0.connect() } }
    }

    private func connect() {
        current = peripheral?.startConnecting(policy.options) { [weak self] in
            self?.next($0) { $0.restore() }
        }
    }

    private func restore() {
        guard !subscriptions.isEmpty else { return setUp(nil) }
        current = peripheral?.startDiscoveringServices(nil) { [weak self] result in
            switch result {
            case .success: self?.subscribe(0, nil)
            case .failure(let error): self?.fail(error)
            }
        }
    }

    private func subscribe(_ number: Int, _ firstError: BluetoothError?) {
        guard isActive else { return }
        guard number < subscriptions.count else { return setUp(firstError) }
        guard let characteristic = find(subscriptions[number]) else {
            let name = subscriptions[number].characteristic.name
            let error = BluetoothError(
                .attributeGone, "The characteristic \(name) is gone after connecting again; discover again")
            return subscribe(number + 1, firstError ?? error)
        }
        current = characteristic.startNotifyingAsWanted(true) { [weak self] result in
            guard let self, self.isActive else { return }
            switch result {
            case .success: self.subscribe(number + 1, firstError)
            case .failure(let error) where self.peripheral?.isConnected != true: self.fail(error)
            case .failure(let error): self.subscribe(number + 1, firstError ?? error)
            }
        }
    }

    /// Runs the set-up of the `KeptConnection`, if it has one. A link that cannot be set up counts as lost: it is ended,
    /// unless another program made it.
    private func setUp(_ firstError: BluetoothError?) {
        guard isActive, let peripheral else { return }
        guard let setUp = peripheral.keptSetUp else { return end(firstError) }
        let operation: Operation<Void> = peripheral.begin("Setting up", needsConnection: true, limit: nil) {
            [weak self] result in
            guard let self, self.isActive else { return }
            if let error = result.failure { self.giveUpLink(error) } else { self.end(firstError) }
        }
        current = operation
        setUp(operation)
    }

    /// Ends the link, unless another program made it, and tries again after the policy's delay.
    func giveUpLink(_ error: BluetoothError) {
        guard let peripheral, peripheral.link.isOurs, peripheral.isConnected else { return fail(error) }
        current = peripheral.startDisconnecting(andReconnection: false) { _ in self.fail(error) }
    }

    private func find(_ subscription: Subscription) -> Characteristic? {
        let known = subscription.characteristic
        if known.isDiscovered, known.service?.peripheral === peripheral { return known }
        let services = peripheral?.services.filter { $0.uuid == subscription.service.uuid } ?? []
        guard subscription.service.index < services.count else { return nil }
        let found = services[subscription.service.index].characteristics.filter { $0.uuid == known.uuid }
        guard subscription.index < found.count, found[subscription.index].isDiscovered else { return nil }
        return found[subscription.index]
    }

    // MARK: The end

    private func next(_ result: Result<Void, BluetoothError>, _ body: (Reconnection) -> Void) {
        guard isActive else { return }
        switch result {
        case .success: body(self)
        case .failure(let error): fail(error)
        }
    }

    private func fail(_ error: BluetoothError) {
        guard isActive, let peripheral, peripheral.central != nil else { return }
        current = nil
        log.debug("Connecting again failed", metadata: ["attempt": "\(attempt)", "error": "\(error)"])
        guard let limit = policy.attempts, attempt >= limit else {
            schedule()
            peripheral.keptHandler?(.disconnected(error))
            return
        }
        finish()
        peripheral.keptHandler?(.stopped(error))
        policy.giveUp?(peripheral, error)
    }

    private func end(_ error: BluetoothError?) {
        guard isActive, let peripheral else { return }
        finish()
        peripheral.didReconnect(error)
        peripheral.keptHandler?(.connected(peripheral))
    }

    private func finish() {
        current = nil
        guard isActive, let peripheral else { return }
        peripheral.link.reconnection = nil
        peripheral.central?.releaseIfGone(peripheral)
    }
}
