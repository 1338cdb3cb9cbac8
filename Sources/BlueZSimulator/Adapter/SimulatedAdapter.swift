import DBus

/// The properties of an adapter.
public struct AdapterSpecification: Hashable, Sendable {
    /// The address in uppercase.
    public var address: String
    /// The host's name, which is also the adapter's.
    public var name: String
    /// Whether it is on at the start. bluetoothd 5.66 powers adapters by default (AutoEnable).
    public var isPowered: Bool
    /// Whether the kernel supports advertisement monitors (Linux 5.10). bluetoothd offers them only with
    /// `--experimental`.
    public var supportsMonitors: Bool

    /// Makes a specification.
    public init(
        address: String = "00:AA:01:00:00:42",
        name: String = "simulator",
        isPowered: Bool = true,
        supportsMonitors: Bool = true
    ) {
        self.address = address
        self.name = name
        self.isPowered = isPowered
        self.supportsMonitors = supportsMonitors
    }
}

/// A Bluetooth adapter: an `Adapter1` object of bluetoothd, after src/adapter.c.
@SimulatorActor public final class SimulatedAdapter {
    static let interface = "org.bluez.Adapter1"

    /// The specification it was made from.
    public let specification: AdapterSpecification
    /// The object's path, such as `/org/bluez/hci0`.
    public internal(set) var path: ObjectPath
    /// Whether it is on.
    public internal(set) var isPowered: Bool
    /// Whether rfkill blocks it.
    public internal(set) var isBlocked = false
    /// Whether bluetoothd has it: it is plugged in and bluetoothd runs.
    public internal(set) var isPresent = false
    /// Whether it is unplugged.
    public internal(set) var isUnplugged = false
    /// Whether bluetoothd reports that it is discovering.
    public internal(set) var isDiscovering = false
    /// Whether the kernel refuses monitors although it supports them: bluetoothd calls `Release` instead of `Activate`.
    public var refusesMonitors = false

    let server: ObjectServer
    let air: Air
    let agents: AgentManager
    let profiles: ProfileManager
    let isExperimental: Bool
    var devices: [Device] = []
    var clients: [DiscoveryClient] = []
    var applications: [MonitorApplication] = []
    var isListening = false
    var found: [Device] = []
    var reports: [ObjectIdentifier: ScheduledCall] = [:]
    var alias: String?
    var wasPowered = false
    var isChangingPower = false
    var powerState = "off"
    var isDiscoverable = false
    var discoverableTimeout: UInt32 = 180
    var isPairable = false
    var pairableTimeout: UInt32 = 0

    init(_ specification: AdapterSpecification, path: ObjectPath, bluez: SimulatedBlueZ) {
        self.specification = specification
        self.path = path
        isPowered = specification.isPowered
        server = bluez.server
        air = bluez.air
        agents = bluez.agents
        profiles = bluez.profiles
        isExperimental = bluez.configuration.isExperimental
    }

    func changed(_ properties: String...) {
        for property in properties { server.changed(property, of: Self.interface, at: path) }
    }

    /// Exports the adapter and the devices that bluetoothd remembers.
    func export() {
        isPresent = true
        powerState = isBlocked ? "off-blocked" : isPowered ? "on" : "off"
        server.register(exportedInterface, at: path)
        if isExperimental { server.register(monitorInterface, at: path) }
        for device in devices { device.export() }
    }

    func device(_ path: ObjectPath) -> Device? {
        devices.first { $0.path == path }
    }

    func remove(_ device: Device) {
        devices.removeAll { $0 === device }
        found.removeAll { $0 === device }
        device.remove()
    }

    func connected(_ device: Device) {}

    func disconnected(_ device: Device) {}

    /// A client has left the bus.
    func senderVanished(_ name: String) {
        let wasDiscovering = clients.contains { $0.owner == name && $0.isDiscovering }
        clients.removeAll { $0.owner == name }
        if wasDiscovering { discoveryChanged() }
        forgetMonitors(of: name)
        for device in devices {
            for service in device.services { service.characteristics.forEach { $0.senderVanished(name) } }
        }
    }
}
