import CoreBlueZ

/// A central manager that finds SensorTags: what it finds are `SensorTag` objects.
open class SensorTagManager: CentralManager {
    /// The addresses of the tags that the program is interested in; empty means all. They go before names.
    public var knownAddresses: Set<BluetoothAddress> = []

    /// Makes a `SensorTag`.
    override open func makePeripheral(_ device: DiscoveredDevice) -> Peripheral {
        SensorTag(device)
    }

    /// Whether address or name are among the known ones or, where no tag is known, name or advertisement are those of a
    /// SensorTag.
    override open func isKnownPeripheral(_ device: DiscoveredDevice) -> Bool {
        if !knownAddresses.isEmpty { return device.address.map(knownAddresses.contains) ?? false }
        if !knownPeripheralNames.isEmpty { return super.isKnownPeripheral(device) }
        return SensorTagGeneration(device.name, device.advertisement) != nil
    }
}
