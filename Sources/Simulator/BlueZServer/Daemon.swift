import BlueZDBus

/// bluetoothd, as clients see it on a bus. Radios determine what its adapters receive and connect to.
@BlueZServerActor package final class Daemon {
    private static let name = "org.bluez"
    private static let root = "/org/bluez"

    package let server = ObjectServer()
    package let agents: AgentManager
    package let settings: DaemonSettings
    /// The adapters, starting with hci0, whether plugged in or not.
    package private(set) var adapters: [Adapter] = []
    let profiles: ProfileManager

    package init(
        timing: DaemonTiming, isExperimental: Bool, version: BlueZVersion = .v5_66, exportsClaimedServices: Bool = true
    ) {
        settings = DaemonSettings(
            timing: timing, isExperimental: isExperimental, version: version,
            exportsClaimedServices: exportsClaimedServices)
        agents = AgentManager(server: server)
        profiles = ProfileManager(server: server)
    }

    isolated deinit { server.connection?.close() }

    /// Whether the daemon is running, as far as the bus knows.
    package var isRunning: Bool { server.connection != nil }

    /// Adds an adapter. It is exported immediately if the daemon is running.
    ///
    /// - Parameter number: the number in its name; by default, and if it is in use, the lowest free one.
    package func addAdapter(
        _ description: AdapterDescription, radio: any Radio, number: UInt8? = nil
    ) throws(DBusError) -> Adapter {
        let used = Set(adapters.map(\.path.string))
        let numbers = [number.map(Int.init)].compactMap(\.self) + (0...adapters.count)
        let number = numbers.first { !used.contains("\(Self.root)/hci\($0)") } ?? adapters.count
        let path = try ObjectPath("\(Self.root)/hci\(number)")
        let adapter = Adapter(description, path: path, radio: radio, daemon: self)
        adapters.append(adapter)
        if isRunning { adapter.export() }
        return adapter
    }

    /// Removes an adapter, with everything that is remembered about it.
    package func removeAdapter(_ adapter: Adapter) {
        adapter.unplug()
        adapter.forgetDevices()
        adapters.removeAll { $0 === adapter }
    }

    /// Owns `org.bluez` on a bus, and exports the remembered objects. Does nothing if the daemon is running.
    ///
    /// - Throws: `DBusError` if the bus cannot be reached, or `org.bluez` has another owner on it.
    package func start(on address: String) async throws {
        guard !isRunning else { return }
        let connection = try Connection(to: .address(address), loop: BlueZServerActor.loop)
        server.start(on: connection)
        do {
            try await introduce(connection)
        } catch {
            connection.close()
            server.stop()
            throw error
        }
    }

    /// Ends the daemon as SIGKILL does: its name loses its owner, and the bus replies to pending calls with NoReply.
    package func stop() {
        guard let connection = server.connection else { return }
        connection.close()
        stopped()
    }

    private func introduce(_ connection: Connection) async throws {
        connection.signalHandler = { [weak self] message in self?.received(message) }
        connection.disconnectHandler = { [weak self] _ in self?.stopped() }
        // The limit is long because a machine may be slow. A bus that is gone ends the connection.
        let limit = Duration.seconds(120)
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            connection.hello(timeout: limit) { continuation.resume(with: $0) }
        }
        try await succeed { connection.addMatch(Self.ownerChanges, timeout: limit, completion: $0) }
        let root = try ObjectPath(Self.root)
        try await succeed { completion in
            connection.requestName(Self.name, timeout: limit) { [weak self] error in
                // As in bluetoothd, the name comes first, then the objects, each with its InterfacesAdded. No call is
                // processed in between.
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

    /// Handles a client that leaves the bus, which ends its discovery, its notifications and its agent.
    private func received(_ message: Message) {
        guard message.isSignal("org.freedesktop.DBus", "NameOwnerChanged") else {
            for adapter in adapters {
                adapter.receive(message)
                adapter.advertising.receive(message)
            }
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

    /// Forgets everything in bluetoothd's memory after its end. The kernel ends its links.
    private func stopped() {
        server.stop()
        for adapter in adapters {
            adapter.advertising.forgetAll()
            adapter.lose()
        }
    }
}

/// The durations of bluetoothd's own waits.
package struct DaemonTiming: Hashable, Sendable {
    /// How long an unused link of classic Bluetooth stays up; 2 s by default (the kernel's HCI_DISCONN_TIMEOUT).
    package var idleLink: Duration = .seconds(2)
    /// How long an unconnected, unknown device remains after its last advertisement; 30 s by default (TemporaryTimeout
    /// of main.conf).
    package var temporaryDevice: Duration = .seconds(30)
    /// How long switching an adapter on or off takes; zero by default.
    package var power: Duration = .zero
    /// How long an application may take to answer a central's request; 5 s by default (ATTRIBUTE_TIMEOUT of
    /// src/shared/gatt-db.c).
    package var attribute: Duration = .seconds(5)
    /// How long a central may take to confirm an indication; 30 s by default (ATT_TIMEOUT_INTERVAL of
    /// src/shared/att.c).
    package var attTransaction: Duration = .seconds(30)

    package init() {}
}

/// The settings that the parts of a daemon share.
@BlueZServerActor package final class DaemonSettings {
    package var timing: DaemonTiming
    /// Whether the daemon has what bluetoothd offers only with `--experimental`.
    let isExperimental: Bool
    /// The version of bluetoothd that the daemon resembles.
    let version: BlueZVersion
    /// Whether the daemon exports Battery and Device Information, which its plug-ins use: not with
    /// `ExportClaimedServices = no` in main.conf, from 5.80.
    let exportsClaimedServices: Bool

    init(timing: DaemonTiming, isExperimental: Bool, version: BlueZVersion, exportsClaimedServices: Bool) {
        self.timing = timing
        self.isExperimental = isExperimental
        self.version = version
        self.exportsClaimedServices = exportsClaimedServices
    }
}
