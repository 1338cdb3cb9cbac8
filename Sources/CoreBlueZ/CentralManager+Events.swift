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
        guard let eventHandler else { return }
        switch change.kind {
        case .adapterAdded:
            if let adapter = adapter(at: change.path) { eventHandler(.adapterAdded(adapter)) }
        case .adapterChanged(let wasPowered):
            guard let adapter = adapter(at: change.path), adapter.isPowered != wasPowered else { return }
            eventHandler(.adapterPowerChanged(adapter))
        case .adapterRemoved: eventHandler(.adapterRemoved(String(change.path.lastComponent)))
        case .deviceChanged(let what):
            guard isOnAdapter(change.path), let device = client.mirror.devices[change.path] else { return }
            let peripheral = peripheral(at: change.path)
            if what.contains(.connected) {
                eventHandler(device.isConnected ? .connected(peripheral) : .disconnected(peripheral))
            }
            if what.contains(.servicesResolved), device.areServicesResolved {
                eventHandler(.servicesResolved(peripheral))
            }
        case .deviceRemoved:
            // Removal ends a link without another word.
            if let peripheral = peripheralsByPath[change.path], peripheral.state != .disconnected {
                eventHandler(.disconnected(peripheral))
            }
        case .attributesAdded, .attributeRemoved:
            guard let peripheral = peripheral(above: change.path), isOnAdapter(peripheral.path),
                client.mirror.services[change.path] != nil || isService(change.path),
                peripheral.properties?.areServicesResolved == true
            else { return }
            eventHandler(.servicesChanged(peripheral))
        case .deviceAdded:
            guard isOnAdapter(change.path), client.mirror.devices[change.path]?.isConnected == true else { return }
            eventHandler(.connected(peripheral(at: change.path)))
        }
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
