import DBus

/// A simulated BlueZ on a private bus: adapters, devices and GATT objects, with bluetoothd 5.66's signals, errors and
/// texts.
///
/// To use it with any BlueZ client, set `DBUS_SYSTEM_BUS_ADDRESS` to its `address`. One process can have many. It ends
/// with its last reference.
@SimulatorActor public final class SimulatedBlueZ {
    /// The properties of a simulator.
    public struct Configuration: Sendable {
        /// The adapters, hci0 first.
        public var adapters: [AdapterSpecification]
        /// How long things take.
        public var timing: Timing
        /// Whether it has the properties that bluetoothd offers only with `--experimental`: PowerState,
        /// AdvertisingFlags, Source, and advertisement monitors.
        public var isExperimental: Bool

        /// Makes a configuration; by default one adapter, powered, and bluetoothd's timing.
        public init(
            adapters: [AdapterSpecification] = [AdapterSpecification()],
            timing: Timing = Timing(),
            isExperimental: Bool = false
        ) {
            self.adapters = adapters
            self.timing = timing
            self.isExperimental = isExperimental
        }
    }

    /// The configuration it was made from.
    public let configuration: Configuration
    /// The bus's address, for `BusAddress.address` and `DBUS_SYSTEM_BUS_ADDRESS`.
    public nonisolated let address: String
    /// The adapters, hci0 first, whether plugged in or not.
    public private(set) var adapters: [SimulatedAdapter] = []
    /// Whether bluetoothd is running, as far as the bus knows.
    public var isRunning: Bool { server.connection != nil }

    let server = ObjectServer()
    let air: Air
    let agents: AgentManager
    let profiles: ProfileManager
    var bus: PrivateBus?
    private static let name = "org.bluez"
    private static let root = "/org/bluez"

    /// Starts a private bus, or uses the one at an address, and owns `org.bluez` on it.
    ///
    /// - Throws: `DBusError` if there is no bus or somebody else owns `org.bluez` there.
    public init(_ configuration: Configuration = Configuration(), bus existing: String? = nil) async throws {
        self.configuration = configuration
        air = Air(timing: configuration.timing)
        agents = AgentManager(server: server)
        profiles = ProfileManager(server: server)
        if let existing {
            address = existing
        } else {
            let bus = try PrivateBus()
            address = bus.address
            self.bus = bus
        }
        for (index, specification) in configuration.adapters.enumerated() {
            let path = try ObjectPath("\(Self.root)/hci\(index)")
            adapters.append(SimulatedAdapter(specification, path: path, bluez: self))
        }
        air.listener = { [weak self] peripheral in
            for adapter in self?.adapters ?? [] where adapter.isPresent { adapter.advertisingChanged(peripheral) }
        }
        try await restart()
    }

    isolated deinit { server.connection?.close() }

    /// How long things take from now on.
    public var timing: Timing {
        get { air.timing }
        set { air.timing = newValue }
    }

    /// The peripherals in the air.
    public var peripherals: [SimulatedPeripheral] { air.peripherals }

    /// Puts a peripheral into the air; it advertises.
    ///
    /// - Throws: `DBusError` if the address is invalid or taken.
    @discardableResult
    public func add(_ specification: PeripheralSpecification) throws -> SimulatedPeripheral {
        let bytes = specification.address.split(separator: ":", omittingEmptySubsequences: false)
        guard bytes.count == 6, bytes.allSatisfy({ $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }) else {
            throw DBusError.invalidArguments("\"\(specification.address)\" is not a Bluetooth address")
        }
        guard air.peripheral(specification.address.uppercased()) == nil else {
            throw DBusError.invalidArguments("There already is a peripheral \(specification.address)")
        }
        let peripheral = SimulatedPeripheral(specification)
        air.add(peripheral)
        return peripheral
    }

    /// Removes a peripheral from the air permanently; its link is lost.
    public func remove(_ peripheral: SimulatedPeripheral) {
        air.remove(peripheral)
    }

    /// Starts bluetoothd again after `simulateCrash`. It knows the devices that were connected or paired before, but
    /// not their services. Does nothing while it runs.
    public func restart() async throws {
        guard !isRunning else { return }
        let connection = try Connection(to: .address(address), loop: SimulatorActor.loop) { [weak self] events in
            SimulatorActor.assumeIsolated { self?.server.connection?.turn(events) }
        }
        server.start(on: connection)
        do {
            try await introduce(connection)
        } catch {
            connection.close()
            server.stop()
            throw error
        }
    }

    private func introduce(_ connection: Connection) async throws {
        connection.signalHandler = { [weak self] message in self?.received(message) }
        connection.disconnectHandler = { [weak self] _ in self?.stopped() }
        // A machine may be slow; a bus that is gone ends the connection.
        let limit = Duration.seconds(120)
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            connection.hello(timeout: limit) { continuation.resume(with: $0) }
        }
        try await succeed { connection.addMatch(Self.ownerChanges, timeout: limit, completion: $0) }
        let root = try ObjectPath(Self.root)
        try await succeed { completion in
            connection.requestName(Self.name, timeout: limit) { [weak self] error in
                // As bluetoothd: the name first, then the objects, each with its InterfacesAdded; and no call is
                // processed between the two.
                if error == nil { self?.exportAll(root) }
                completion(error)
            }
        }
    }

    private func exportAll(_ root: ObjectPath) {
        agents.export(at: root)
        profiles.export(at: root)
        for adapter in adapters where !adapter.isUnplugged { adapter.export() }
    }

    private func succeed(_ body: (@escaping (DBusError?) -> Void) -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            body { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    private static let ownerChanges = MatchRule(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")

    /// A client that leaves the bus ends its discovery, notifications and agent.
    private func received(_ message: Message) {
        guard message.isSignal("org.freedesktop.DBus", "NameOwnerChanged") else {
            for adapter in adapters { adapter.receive(message) }
            return
        }
        var reader = message.reader
        guard let name = try? reader.readString(), name.hasPrefix(":"), (try? reader.readString()) != nil,
            let owner = try? reader.readString(), owner.isEmpty
        else { return }
        agents.senderVanished(name)
        profiles.senderVanished(name)
        for adapter in adapters { adapter.senderVanished(name) }
    }

    /// bluetoothd is gone with everything it had in memory; the kernel ends its links.
    func stopped() {
        server.stop()
        for adapter in adapters { adapter.lose() }
    }
}
