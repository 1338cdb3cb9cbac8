import CoreBlueZ

/// A central manager that finds SensorTags: the peripherals it finds are `SensorTag` objects.
open class SensorTagManager: CentralManager {
    /// The addresses of the tags that the program wants; empty means all. They take precedence over names.
    public var knownAddresses: Set<BluetoothAddress> = []

    /// Creates a `SensorTag`.
    override open func makePeripheral(_ device: DiscoveredDevice) -> Peripheral {
        SensorTag(device)
    }

    /// Whether the address or the name is a known one or, without known ones, points to a SensorTag.
    override open func isKnownPeripheral(_ device: DiscoveredDevice) -> Bool {
        if !knownAddresses.isEmpty { return device.address.map(knownAddresses.contains) ?? false }
        if !knownPeripheralNames.isEmpty { return super.isKnownPeripheral(device) }
        return SensorTagGeneration(device.name, device.advertisement) != nil
    }
}
