import BlueZValues

/// The properties of a device that bluetoothd has stored.
package struct StoredDevice: Hashable, Sendable {
    package var name: String?
    package var alias: String?
    /// The appearance; 0 means none.
    package var appearance: UInt16 = 0
    /// The services, as last discovered.
    package var services: [BluetoothUUID] = []
    package var isPaired = false
    package var isBonded = false
    package var isTrusted = false
    package var isBlocked = false

    /// Creates the state of a device of which nothing is stored.
    package init() {}
}

extension Adapter {
    /// Adds a device as from bluetoothd's storage. Nil if there is no space for it.
    @discardableResult
    package func restore(_ identity: DeviceIdentity, _ state: StoredDevice) -> Device? {
        guard let device = findOrMake(identity) else { return nil }
        device.setTemporary(false)
        device.setName(Array((state.name ?? "").utf8))
        device.set("Alias", \.alias, state.alias == device.name ? nil : state.alias)
        device.setAppearance(state.appearance)
        device.addUUIDs(state.services)
        device.set("Paired", \.isPaired, state.isPaired)
        device.set("Bonded", \.isBonded, state.isBonded)
        device.set("Trusted", \.isTrusted, state.isTrusted)
        device.set("Blocked", \.isBlocked, state.isBlocked)
        return device
    }
}

extension Device {
    /// Returns the device as bluetoothd loads it from storage, or nil if it is not stored.
    func reloaded(for adapter: Adapter) -> Device? {
        guard let device = try? Device(identity, adapter: adapter) else { return nil }
        device.name = name
        device.alias = alias
        device.appearance = appearance
        device.isPaired = isBonded
        device.isBonded = isBonded
        device.isAuthenticated = isBonded && isAuthenticated
        device.isTrusted = isTrusted
        device.isBlocked = isBlocked
        device.modalias = modalias
        device.setUUIDs(uuids)
        device.setTemporary(false)
        return device
    }
}
