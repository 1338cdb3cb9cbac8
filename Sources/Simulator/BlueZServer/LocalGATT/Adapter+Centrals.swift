extension Adapter {
    /// Whether a central can connect: the adapter is on, and advertises or would be found.
    package var acceptsConnections: Bool {
        isPresent && isPowered && radio.acceptsCentrals && (isAdvertising || isDiscoverable || gatt.hasApplications)
    }

    private var isAdvertising: Bool { outgoingAdvertisements.contains { $0.isConnectable } }

    /// The adapter, as another device sees it.
    package var identity: DeviceIdentity { DeviceIdentity(address: description.address, addressType: .public) }

    /// The links of the adapter's devices.
    package var links: [any RadioLink] { devices.compactMap(\.link) }

    /// Returns the object of a device that connects. nil if it is connected or blocked, or there is no space for it.
    package func incomingDevice(_ identity: DeviceIdentity) -> Device? {
        guard let device = findOrMake(identity), !device.isConnected, !device.isBlocked else { return nil }
        return device
    }
}
