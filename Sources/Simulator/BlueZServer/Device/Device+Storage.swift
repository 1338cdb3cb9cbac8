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
