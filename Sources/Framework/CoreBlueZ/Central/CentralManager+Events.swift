import BlueZClient
import BlueZDBus

extension CentralManager {
    /// Reports a change of the mirror as an event, if it is one.
    func reportEvent(_ change: Mirror.Change) {
        // Most changes are advertisements. They are no events.
        if case .deviceChanged(_, let what) = change.kind, !what.concernLink { return }
        guard eventHandler != nil || !eventConsumers.isEmpty || !eventObservers.isEmpty else { return }
        switch change.kind {
        case .adapterAdded:
            if let adapter = adapter(at: change.path) { tell(.adapterAdded(adapter)) }
        case .adapterChanged(let wasPowered):
            guard let adapter = adapter(at: change.path), adapter.isPowered != wasPowered else { return }
            tell(.adapterPowerChanged(adapter))
        case .adapterRemoved: tell(.adapterRemoved(String(change.path.lastComponent)))
        case .deviceChanged(let device, let what):
            guard hears(of: device) else { return }
            let peripheral = peripheral(at: change.path)
            if what.contains(.connected) {
                tell(device.isConnected ? .connected(peripheral) : .disconnected(peripheral))
            }
            if what.contains(.servicesResolved), device.areServicesResolved, device.isConnected {
                tell(.servicesResolved(peripheral))
                // Later changes to the services are reported as such.
                client.completeServices(of: change.path) { _ in }
            }
        case .deviceRemoved: break
        case .attributesAdded, .attributeRemoved: break
        case .deviceAdded(let device):
            guard device.isConnected, hears(of: device) else { return }
            tell(.connected(peripheral(at: change.path)))
        }
    }

    /// Reports adapters that other managers of the program have already seen, because they existed before this manager.
    func reportPresent() {
        guard client.availability.isReady else { return }
        for path in client.mirror.adapterPaths { if let adapter = adapter(at: path) { tell(.adapterAdded(adapter)) } }
        let connected = client.mirror.devices.filter { $0.value.isConnected && hears(of: $0.value) }.keys.sorted()
        for path in connected { tell(.connected(peripheral(at: path))) }
    }

    func tell(_ event: CentralEvent) {
        eventHandler?(event)
        eventConsumers.append(event)
        for observer in eventObservers.values { observer(event) }
    }

    /// Calls `handler` with each event, in addition to `eventHandler`: for drivers and libraries, which leave that to the
    /// program. The async form is `events(bufferingUpTo:)`.
    ///
    /// - Parameter handler: gets the events of adapters, scans and links from now on.
    /// - Returns: the observation, which ends when it is released or cancelled, or with the manager.
    public func observeEvents(_ handler: @escaping @BluetoothActor (CentralEvent) -> Void) -> EventObservation {
        let key = ObservationKey()
        eventObservers[ObjectIdentifier(key)] = handler
        return EventObservation { [weak self, key] in
            BluetoothActor.perform { self?.eventObservers[ObjectIdentifier(key)] = nil }
        }
    }

    private func adapter(at path: ObjectPath) -> Adapter? {
        client.mirror.adapters[path].map { Adapter(path, $0) }
    }

    /// Whether events of a device are reported: if the program chose no adapter, those of all devices are.
    private func hears(of device: DeviceProperties) -> Bool {
        adapterName == nil || device.isOn(adapterPath)
    }
}

/// An event of an adapter, a scan or a link.
public enum CentralEvent: Sendable {
    /// An adapter was plugged in, or bluetoothd began to report it.
    case adapterAdded(Adapter)
    /// An adapter was switched on or off.
    case adapterPowerChanged(Adapter)
    /// The adapter with this identifier ("hci0") was unplugged.
    case adapterRemoved(String)
    /// A link to a peripheral came up, whichever program made it.
    case connected(Peripheral)
    /// A link to a peripheral ended, for whatever reason.
    case disconnected(Peripheral)
    /// bluetoothd has found the services of a connected peripheral.
    case servicesResolved(Peripheral)
    /// A connected peripheral has added or removed services since they were found.
    case servicesChanged(Peripheral)
    /// An attempt of this manager to connect has failed, including an attempt of `Peripheral.reconnectPolicy`.
    /// Cancelled attempts are not reported.
    case failedToConnect(Peripheral, BluetoothError)
    /// The device's name has changed or become known since its object was created or this event was last reported.
    case nameChanged(Peripheral)
    /// The first scan of this manager has begun. Further scans at the same time are not reported.
    case scanBegan
    /// The last scan of this manager has ended, with the error if it failed. If `ScanOptions.resumes` is true, it may
    /// begin again.
    case scanEnded(BluetoothError?)
}
