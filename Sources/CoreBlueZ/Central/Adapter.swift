import BlueZClient
import DBus

/// A snapshot of a Bluetooth adapter.
public struct Adapter: Hashable, Codable, Sendable {
    /// The kernel's name of the adapter, such as "hci0".
    public let identifier: String
    /// The adapter's address.
    public let address: BluetoothAddress?
    /// The name that other devices see.
    public let name: String?
    /// Whether it is on.
    public let isPowered: Bool
    /// Whether rfkill blocks it; false also if bluetoothd does not report that (before 5.66).
    public let isBlocked: Bool
    /// Whether it is scanning, for any program.
    public let isDiscovering: Bool
    /// Whether other devices may pair with it.
    public let isPairable: Bool
    /// Whether bluetoothd and the kernel offer passive scans (`ScanOptions.passivePatterns`).
    public let canScanPassively: Bool

    init(_ path: ObjectPath, _ properties: AdapterProperties) {
        identifier = String(path.lastComponent)
        address = properties.address
        name = properties.alias
        isPowered = properties.isPowered
        isBlocked = properties.powerState == "off-blocked"
        isDiscovering = properties.isDiscovering
        isPairable = properties.isPairable
        canScanPassively = properties.monitorTypes?.contains(PassiveMonitor.type) == true
    }
}

extension CentralManager {
    /// All adapters that bluetoothd has, ordered by number; empty until bluetoothd has replied.
    public var adapters: [Adapter] {
        client.mirror.adapterPaths.compactMap { path in client.mirror.adapters[path].map { Adapter(path, $0) } }
    }

    /// The adapter that this manager uses, if there is one.
    public var adapter: Adapter? {
        guard let adapterPath else { return nil }
        return client.mirror.adapters[adapterPath].map { Adapter(adapterPath, $0) }
    }
}
