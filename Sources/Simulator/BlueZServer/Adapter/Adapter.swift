import BlueZDBus
import BlueZValues

/// A Bluetooth adapter: an `Adapter1` object of bluetoothd, modelled on src/adapter.c.
@BlueZServerActor package final class Adapter: BusObject {
    static let interface = BlueZInterface.adapter.description

    /// The description from which the adapter was created.
    package let description: AdapterDescription
    /// The object's path, such as `/org/bluez/hci0`.
    package internal(set) var path: ObjectPath
    /// Whether the adapter is on.
    package internal(set) var isPowered: Bool
    /// Whether rfkill blocks the adapter.
    package internal(set) var isBlocked = false
    /// Whether bluetoothd has an object for the adapter: it is plugged in, and bluetoothd is running.
    package internal(set) var isPresent = false
    /// Whether the adapter is unplugged.
    package internal(set) var isUnplugged = false
    /// Whether bluetoothd reports that it is discovering.
    package internal(set) var isDiscovering = false
    /// Whether the kernel refuses monitors although it supports them. bluetoothd then calls `Release` instead of
    /// `Activate`.
    package var refusesMonitors = false

    let server: ObjectServer
    let agents: AgentManager
    let profiles: ProfileManager
    let settings: DaemonSettings
    let radio: any Radio
    private var table: [String: Device] = [:]
    private var lastNumber = 0
    var foundCount = 0
    var clients: [DiscoveryClient] = []
    var applications: [MonitorApplication] = []
    var isListening = false
    var alias: String?
    var wasPowered = false
    var isChangingPower = false
    var powerState = "off"
    var isDiscoverable = false
    var discoverableTimeout: UInt32 = 180
    var isPairable = false
    var pairableTimeout: UInt32 = 0
    /// The services that the adapter offers, as a peripheral.
    package private(set) lazy var gatt = GATTManager(adapter: self)
    /// The advertisements of clients. It lives as long as the adapter.
    private(set) lazy var advertising = AdvertisingManager(self)

    init(_ description: AdapterDescription, path: ObjectPath, radio: any Radio, daemon: Daemon) {
        self.description = description
        self.path = path
        self.radio = radio
        isPowered = description.isPowered
        server = daemon.server
        agents = daemon.agents
        profiles = daemon.profiles
        settings = daemon.settings
        radio.host = self
    }

    var isExperimental: Bool { settings.isExperimental }
    var isBefore560: Bool { settings.version < .v5_60 }

    /// Exports the adapter and the devices that bluetoothd remembers.
    func export() {
        isPresent = true
        powerState = isBlocked ? "off-blocked" : isPowered ? "on" : "off"
        registerInterface()
        if radio.acceptsCentrals { advertising.export() }
        if isExperimental { server.register(monitorInterface, at: path) }
        if radio.acceptsCentrals { gatt.export(at: path) }
        for device in devices { device.export() }
        radio.acceptanceChanged()
    }

    // MARK: Devices

    /// The devices, in the order in which they were added.
    var devices: [Device] { table.values.sorted { $0.number < $1.number } }

    /// Returns the object of a device, if this adapter knows it.
    package func device(at address: String) -> Device? { table[address] }

    /// Returns the object of a device by its path.
    package func device(_ path: ObjectPath) -> Device? {
        let name = path.string.split(separator: "/").last ?? ""
        let device = BluetoothAddress(objectName: name).flatMap { table[$0.description] }
        return device?.path == path ? device : nil
    }

    /// Returns the object of a device, and creates it if the adapter does not know the device. Nil if there is no space
    /// for it.
    package func findOrMake(_ identity: DeviceIdentity) -> Device? {
        if let device = table[identity.address] { return device }
        guard let device = try? Device(identity, adapter: self) else { return nil }
        add(device)
        device.export()
        return device
    }

    private func add(_ device: Device) {
        lastNumber += 1
        device.number = lastNumber
        table[device.address] = device
    }

    /// Removes the devices. Those in bluetoothd's storage are added again, as new objects without GATT.
    func reloadDevices() {
        let old = devices
        table.removeAll()
        for device in old where !device.isTemporary {
            if let reloaded = device.reloaded(for: self) { add(reloaded) }
        }
        for device in old { device.remove() }
    }

    /// Forgets all devices.
    func forgetDevices() {
        for device in devices { remove(device) }
    }

    /// Removes a device's object, as RemoveDevice of another client does. Pending calls on or below it get no reply.
    package func remove(_ device: Device) {
        if table[device.address] === device { table[device.address] = nil }
        device.remove()
    }

    /// Handles a client that has left the bus.
    func senderVanished(_ name: String) {
        let wasDiscovering = clients.contains { $0.owner == name && $0.isDiscovering }
        clients.removeAll { $0.owner == name }
        if wasDiscovering { discoveryChanged() }
        advertising.senderVanished(name)
        forgetMonitors(of: name)
        gatt.senderVanished(name)
        for device in devices {
            for service in device.services { service.characteristics.forEach { $0.senderVanished(name) } }
        }
    }
}

/// The properties of an adapter.
package struct AdapterDescription: Hashable, Sendable {
    /// The address in uppercase.
    package var address: String
    /// The name of the host, which is also that of the adapter.
    package var name: String
    /// Whether the adapter is on when it is plugged in.
    package var isPowered: Bool
    /// Whether the kernel supports advertisement monitors (Linux 5.10). bluetoothd offers them only with
    /// `--experimental`.
    package var supportsMonitors: Bool
    /// The controller's limits for advertisements.
    package var advertising: AdvertisingCapabilities

    package init(
        address: String, name: String, isPowered: Bool = true, supportsMonitors: Bool = true,
        advertising: AdvertisingCapabilities = AdvertisingCapabilities()
    ) {
        self.address = address
        self.name = name
        self.isPowered = isPowered
        self.supportsMonitors = supportsMonitors
        self.advertising = advertising
    }
}
