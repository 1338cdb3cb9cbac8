import BlueZClient
import DBus

extension CentralManager {
    /// Reports a change that the mirror has applied.
    func reportEvent(_ change: Mirror.Change) {
        // Most changes are advertisements, which are not events.
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

    /// Reports adapters that existed before this manager: other managers of the program have already seen them.
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

    /// Reports events to a library built on this one, in addition to the program.
    package func addEventObserver(_ key: ObjectIdentifier, _ body: @escaping @BluetoothActor (CentralEvent) -> Void) {
        eventObservers[key] = body
    }

    package func removeEventObserver(_ key: ObjectIdentifier) { eventObservers[key] = nil }

    private func adapter(at path: ObjectPath) -> Adapter? {
        client.mirror.adapters[path].map { Adapter(path, $0) }
    }

    /// If no adapter was chosen, the events of all are reported.
    private func hears(of device: DeviceProperties) -> Bool {
        adapterName == nil || device.isOn(adapterPath)
    }
}

/// An event of an adapter or a link.
public enum CentralEvent: Sendable {
    /// An adapter was plugged in, or bluetoothd began to report it.
    case adapterAdded(Adapter)
    /// An adapter was switched on or off.
    case adapterPowerChanged(Adapter)
    /// The adapter with this identifier ("hci0") was unplugged.
    case adapterRemoved(String)
    /// A link came up.
    case connected(Peripheral)
    /// A link ended.
    case disconnected(Peripheral)
    /// bluetoothd has found the services of a connected peripheral.
    case servicesResolved(Peripheral)
    /// A service of a connected peripheral was added or removed after that.
    case servicesChanged(Peripheral)
    /// An attempt of this manager to connect has failed, including one of `Peripheral.reconnectPolicy`; not reported if
    /// it was cancelled.
    case failedToConnect(Peripheral, BluetoothError)
    /// The device's name has changed, or become known, since its object was made or this was last reported.
    case nameChanged(Peripheral)
    /// bluetoothd has begun to scan for this manager, which was not scanning before.
    case scanBegan
    /// This manager's last scan has ended, with the error if it failed; `ScanOptions.resumes` may begin it again.
    case scanEnded(BluetoothError?)
}
