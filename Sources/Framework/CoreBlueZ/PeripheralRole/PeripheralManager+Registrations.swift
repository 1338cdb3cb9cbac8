import BlueZClient
import BlueZDBus

/// The registrations after the first one.
extension PeripheralManager: ClientObserver {
    package func updateState() {
        // The state of the central manager follows the same announcement, perhaps after this one.
        BluetoothActor.perform { [weak self] in self?.stateMayHaveChanged() }
    }

    package func releaseGone() {}
    package func servicesWereModified(of device: ObjectPath) {}

    package func clientWasLost(_ devices: [ObjectPath], _ error: BluetoothError) {
        lose(applications, error) { _ in true }
        lose(instances, error) { _ in true }
        for path in devices { linkDidEnd(path) }
        pacer.fail(error)
    }

    package func mirrorDidChange(_ change: Mirror.Change) {
        switch change.kind {
        case .adapterRemoved:
            let error = BluetoothError(.adapterGone, "The adapter was unplugged")
            lose(applications, error) { $0.isOn(change.path) }
            lose(instances, error) { $0.isOn(change.path) }
        case .deviceAdded(let device):
            if device.isConnected { linkDidBegin(change.path) }
        case .deviceChanged(let device, let what):
            guard what.contains(.connected) else { return }
            if device.isConnected { linkDidBegin(change.path) } else { linkDidEnd(change.path) }
        case .deviceRemoved:
            linkDidEnd(change.path)
            for characteristic in characteristics { characteristic.subscriptions.deviceWasRemoved(change.path) }
        case .adapterAdded, .adapterChanged, .attributesAdded, .attributeRemoved: break
        }
    }

    private func lose(
        _ registrations: [LocalRegistration], _ error: BluetoothError, _ isConcerned: (LocalRegistration) -> Bool
    ) {
        for registration in registrations where isConcerned(registration) {
            let wasRegistered = registration.wasLost(error)
            // `notify` and `indicate` promise this code if the service is not published, whatever the reason.
            registration.unbind(error.code == .adapterGone ? .serviceUnpublished : error)
            if wasRegistered { report(registration, false) }
        }
    }

    /// The kernel ends advertising when the adapter is switched off, and begins again when it is switched on.
    func noteAdvertisements(_ isOn: Bool) {
        for registration in instances where registration.adapter != nil && registration.instance.isAdvertising != isOn {
            report(registration, isOn)
        }
    }

    private var registrations: [LocalRegistration] { applications as [LocalRegistration] + instances }

    /// Registers what is not registered with the adapter of this manager. An advertisement whose time is over ends
    /// instead.
    func reconcile() {
        guard state == .poweredOn, let adapter = centralManager.adapterPath else { return }
        var over: [LocalRegistration] = []
        for registration in registrations where registration.operation == nil {
            switch registration.state {
            case .registering: continue
            case .registered(let other):
                if other == adapter { continue }
                leave(registration)
                // Handlers may have ended it.
                guard registrations.contains(where: { $0 === registration }) else { continue }
            case .absent: break
            }
            if registration.isOver {
                over.append(registration)
                continue
            }
            registration.register(with: adapter) { [weak self, weak registration] error in
                guard let self, let registration else { return }
                guard let error else {
                    retries = 0
                    report(registration, true)
                    // The adapter may be another one by now.
                    return reconcile()
                }
                if let event = registration.failure(error) { send(event) }
                retryLater()
            }
        }
        // At the end, because handlers may begin and end registrations.
        instances.removeAll { registration in over.contains { $0 === registration } }
        for registration in over { report(registration, false) }
    }

    /// Takes a registration back from another adapter: its subscriptions end there.
    private func leave(_ registration: LocalRegistration) {
        registration.unregister()
        registration.unbind(.serviceUnpublished)
        if registration.isInEffect { report(registration, false) }
    }

    /// Tries again after a refusal. A failure of the kernel may last until bluetoothd restarts.
    func retryLater() {
        guard retry == nil else { return }
        let delay = Duration.delay(beforeAttempt: retries, first: client.timeouts.retry, longest: .seconds(60))
        retry = BluetoothActor.after(delay) { [weak self] in
            self?.retry = nil
            self?.reconcile()
        }
        retries += 1
    }

    /// Reports the beginning or the end of a registration.
    func report(_ registration: LocalRegistration, _ isRegistered: Bool) {
        if let event = registration.changed(isRegistered: isRegistered) { send(event) }
    }

    // MARK: Centrals

    /// The centrals that are connected; see ``Central``.
    public var centrals: [Central] { centralsByPath.values.sorted { $0.path < $1.path } }

    /// Returns the central of a request, and notes its MTU.
    func central(at path: ObjectPath, mtu: Int?) -> Central {
        let central = centralsByPath[path] ?? Central(centralManager.peripheral(at: path), at: path)
        if let mtu { central.mtu = mtu }
        if centralsByPath[path] == nil, client.mirror.devices[path]?.isConnected == true { add(central) }
        return central
    }

    private func add(_ central: Central) {
        centralsByPath[central.path] = central
        send(.centralConnected(central))
        for characteristic in characteristics { characteristic.linkDidBegin(central) }
    }

    func linkDidBegin(_ path: ObjectPath) {
        guard centralsByPath[path] == nil, !isProgramsOwn(path),
            client.mirror.devices[path]?.isOn(centralManager.adapterPath) == true
        else { return }
        add(Central(centralManager.peripheral(at: path), at: path))
    }

    private func linkDidEnd(_ path: ObjectPath) {
        guard let central = centralsByPath[path] else { return }
        for attribute in applications.flatMap(\.services).flatMap(\.attributes) { attribute.linkDidEnd(central) }
        centralsByPath[path] = nil
        send(.centralDisconnected(central))
        guard mustRefreshAdvertisements else { return }
        mustRefreshAdvertisements = !centralsByPath.isEmpty
        // The kernel itself changes advertising when a link has ended.
        _ = BluetoothActor.after(Self.kernelsTurn) { [weak self] in
            for registration in self?.instances ?? [] { registration.refresh() }
        }
    }

    /// How long the kernel may take to advertise again after a link.
    private static let kernelsTurn = Duration.seconds(2)

    private var characteristics: [LocalCharacteristic] { applications.flatMap(\.services).flatMap(\.characteristics) }

    /// Whether a manager of this program has made the link to a device, or is making it.
    private func isProgramsOwn(_ path: ObjectPath) -> Bool {
        client.presentObservers.contains { observer in
            (observer as? CentralManager)?.peripheralsByPath[path]?.link.isProgramsOwn == true
        }
    }
}

extension LocalRegistration {
    /// Whether it is registered with an adapter, or is being registered there.
    func isOn(_ path: ObjectPath) -> Bool {
        switch state {
        case .absent: false
        case .registering(let adapter), .registered(let adapter): adapter == path
        }
    }
}
