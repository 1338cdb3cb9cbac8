import DBus

/// What happens to adapters and links.
public enum CentralEvent: Sendable {
    /// An adapter was plugged in, or bluetoothd began to tell of it.
    case adapterAdded(Adapter)
    /// An adapter was switched on or off.
    case adapterPowerChanged(Adapter)
    /// The adapter of this identifier ("hci0") was unplugged.
    case adapterRemoved(String)
    /// There is a link.
    case connected(Peripheral)
    /// There is no link any more.
    case disconnected(Peripheral)
    /// bluetoothd has found the services of a connected peripheral.
    case servicesResolved(Peripheral)
    /// A service of a connected peripheral came or went after that.
    case servicesChanged(Peripheral)
}

extension CentralManager {
    /// Tells of a change that the mirror has taken over.
    func reportEvent(_ change: Mirror.Change) {
        guard eventHandler != nil || !eventConsumers.isEmpty else { return }
        switch change.kind {
        case .adapterAdded:
            if let adapter = adapter(at: change.path) { tell(.adapterAdded(adapter)) }
        case .adapterChanged(let wasPowered):
            guard let adapter = adapter(at: change.path), adapter.isPowered != wasPowered else { return }
            tell(.adapterPowerChanged(adapter))
        case .adapterRemoved: tell(.adapterRemoved(String(change.path.lastComponent)))
        case .deviceChanged(let what):
            guard isOnAdapter(change.path), let device = client.mirror.devices[change.path] else { return }
            let peripheral = peripheral(at: change.path)
            if what.contains(.connected) {
                tell(device.isConnected ? .connected(peripheral) : .disconnected(peripheral))
            }
            if what.contains(.servicesResolved), device.areServicesResolved {
                tell(.servicesResolved(peripheral))
            }
        case .deviceRemoved:
            // Removal ends a link without another word.
            if let peripheral = peripheralsByPath[change.path], peripheral.state != .disconnected {
                tell(.disconnected(peripheral))
            }
        case .attributesAdded, .attributeRemoved:
            guard let peripheral = peripheral(above: change.path), isOnAdapter(peripheral.path),
                client.mirror.services[change.path] != nil || isService(change.path),
                peripheral.properties?.areServicesResolved == true
            else { return }
            tell(.servicesChanged(peripheral))
        case .deviceAdded:
            guard isOnAdapter(change.path), client.mirror.devices[change.path]?.isConnected == true else { return }
            tell(.connected(peripheral(at: change.path)))
        }
    }

    func tell(_ event: CentralEvent) {
        eventHandler?(event)
        eventConsumers.append(event)
    }

    private func adapter(at path: ObjectPath) -> Adapter? {
        client.mirror.adapters[path].map { Adapter(path, $0) }
    }

    /// Without a wish for an adapter the events of all are told.
    private func isOnAdapter(_ path: ObjectPath) -> Bool {
        adapterName == nil || adapterPath?.contains(path) == true
    }

    private func isService(_ path: ObjectPath) -> Bool {
        path.lastComponent.hasPrefix("service")
    }
}
