import BlueZClient
import BlueZDBus

/// A snapshot of a Bluetooth adapter's properties. It does not change when the adapter does.
public struct Adapter: Hashable, Codable, Sendable {
    /// The kernel's name of the adapter, such as "hci0".
    public let identifier: String
    /// The adapter's Bluetooth address, or nil if bluetoothd does not report one.
    public let address: BluetoothAddress?
    /// The name that other devices see: the adapter's alias in BlueZ, by default the host name.
    public let name: String?
    /// Whether the adapter is on; see `CentralManager.setPowered(_:completion:)`.
    public let isPowered: Bool
    /// Whether rfkill blocks the adapter. False if bluetoothd does not report this (before 5.66).
    public let isBlocked: Bool
    /// Whether the adapter is scanning, for this program or another.
    public let isDiscovering: Bool
    /// Whether other devices may pair with this machine; see `CentralManager.setPairable(_:completion:)`.
    public let isPairable: Bool
    /// Whether bluetoothd and the kernel support passive scans (`ScanOptions.passivePatterns`).
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
    /// All adapters that bluetoothd reports, ordered by number. Empty until bluetoothd has replied.
    public var adapters: [Adapter] {
        client.mirror.adapterPaths.compactMap { path in client.mirror.adapters[path].map { Adapter(path, $0) } }
    }

    /// The adapter that this manager uses, or nil if there is none.
    public var adapter: Adapter? {
        guard let adapterPath else { return nil }
        return client.mirror.adapters[adapterPath].map { Adapter(adapterPath, $0) }
    }
}
