import DBus

/// bluetoothd as clients see it on a bus. Radios decide what its adapters hear and connect to.
@BlueZServerActor package final class Daemon {
    private static let name = "org.bluez"
    private static let root = "/org/bluez"

    package let server = ObjectServer()
    package let agents: AgentManager
    package let settings: DaemonSettings
    /// The adapters, hci0 first, whether plugged in or not.
    package private(set) var adapters: [Adapter] = []
    let profiles: ProfileManager

    package init(timing: DaemonTiming, isExperimental: Bool, isBefore560: Bool = false) {
        settings = DaemonSettings(timing: timing, isExperimental: isExperimental, isBefore560: isBefore560)
        agents = AgentManager(server: server)
        profiles = ProfileManager(server: server)
    }

    isolated deinit { server.connection?.close() }

    /// Whether it runs, as far as the bus knows.
    package var isRunning: Bool { server.connection != nil }

    /// Adds an adapter with the lowest free number, which is exported at once if the daemon runs.
    package func addAdapter(_ description: AdapterDescription, radio: any Radio) throws(DBusError) -> Adapter {
        let used = Set(adapters.map(\.path.string))
        let number = (0...adapters.count).first { !used.contains("\(Self.root)/hci\($0)") } ?? adapters.count
        let path = try ObjectPath("\(Self.root)/hci\(number)")
        let adapter = Adapter(description, path: path, radio: radio, daemon: self)
        adapters.append(adapter)
        if isRunning { adapter.export() }
        return adapter
    }

    /// Removes an adapter with all that is remembered of it.
    package func removeAdapter(_ adapter: Adapter) {
        adapter.unplug()
        adapter.forgetDevices()
        adapters.removeAll { $0 === adapter }
    }

    /// Owns `org.bluez` on a bus and exports the remembered objects. Does nothing while it runs.
    ///
    /// - Throws: `DBusError` if there is no bus or `org.bluez` has another owner there.
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

    /// Dies as by SIGKILL: its name loses its owner, and the bus replies to pending calls with NoReply.
    package func stop() {
        guard let connection = server.connection else { return }
        connection.close()
        stopped()
    }

    private func introduce(_ connection: Connection) async throws {
        connection.signalHandler = { [weak self] message in self?.received(message) }
        connection.disconnectHandler = { [weak self] _ in self?.stopped() }
        // Long, because a machine may be slow; a bus that is gone ends the connection.
        let limit = Duration.seconds(120)
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            connection.hello(timeout: limit) { continuation.resume(with: $0) }
        }
        try await succeed { connection.addMatch(Self.ownerChanges, timeout: limit, completion: $0) }
        let root = try ObjectPath(Self.root)
        try await succeed { completion in
            connection.requestName(Self.name, timeout: limit) { [weak self] error in
                // As bluetoothd does: the name first, then the objects, each with its InterfacesAdded; no call is
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

    /// bluetoothd is gone with everything in its memory; the kernel ends its links.
    private func stopped() {
        server.stop()
        for adapter in adapters { adapter.lose() }
    }
}

/// How long bluetoothd's own waits last.
package struct DaemonTiming: Hashable, Sendable {
    /// How long an unused link of classic Bluetooth stays: the kernel's HCI_DISCONN_TIMEOUT of 2 seconds.
    package var idleLink: Duration = .seconds(2)
    /// How long an unconnected, unknown device remains after its last advertisement: main.conf's TemporaryTimeout.
    package var temporaryDevice: Duration = .seconds(30)
    /// How long a change of power takes.
    package var power: Duration = .zero

    package init() {}
}

/// The settings that the parts of a daemon share.
@BlueZServerActor package final class DaemonSettings {
    package var timing: DaemonTiming
    /// Whether it has the properties that bluetoothd offers only with `--experimental`.
    let isExperimental: Bool
    /// Whether it behaves like bluetoothd before 5.60: a read with an offset returns the value from its beginning, and
    /// there is no MTU, which is a property from 5.62 on.
    let isBefore560: Bool

    init(timing: DaemonTiming, isExperimental: Bool, isBefore560: Bool) {
        self.timing = timing
        self.isExperimental = isExperimental
        self.isBefore560 = isBefore560
    }
}
