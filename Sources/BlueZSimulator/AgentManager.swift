import DBus

/// The `AgentManager1` interface, after src/agent.c. Agents are counted but never asked: pairing is Just Works.
@SimulatorActor final class AgentManager {
    private static let interface = "org.bluez.AgentManager1"
    private static let capabilities: Set<String> = [
        "", "DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay",
    ]

    private let server: ObjectServer
    private var agents: [String: ObjectPath] = [:]

    init(server: ObjectServer) {
        self.server = server
    }

    var hasAgent: Bool { !agents.isEmpty }

    func export(at path: ObjectPath) {
        agents.removeAll()
        server.register(
            BusInterface(
                Self.interface,
                methods: [
                    .init("RegisterAgent", input: "os") { [weak self] call in self?.register(call) },
                    .init("UnregisterAgent", input: "o") { [weak self] call in self?.unregister(call) },
                    .init("RequestDefaultAgent", input: "o") { [weak self] call in self?.requestDefault(call) },
                ]
            ),
            at: path
        )
        // Two that bluetoothd offers beside it; profiles of other kinds are not simulated.
        for name in ["org.bluez.ProfileManager1", "org.bluez.HealthManager1"] {
            server.register(BusInterface(name), at: path)
        }
    }

    func senderVanished(_ name: String) {
        agents[name] = nil
    }

    private func register(_ call: IncomingCall) {
        guard agents[call.sender] == nil else { return server.refuse(call, BlueZError.alreadyExists) }
        var reader = call.reader
        guard let path = try? reader.readObjectPath(), let capability = try? reader.readString(),
            Self.capabilities.contains(capability)
        else { return server.refuse(call, BlueZError.invalidArguments) }
        agents[call.sender] = path
        server.reply(to: call)
    }

    private func unregister(_ call: IncomingCall) {
        guard isOwn(call) else { return server.refuse(call, BlueZError.doesNotExist) }
        agents[call.sender] = nil
        server.reply(to: call)
    }

    private func requestDefault(_ call: IncomingCall) {
        guard isOwn(call) else { return server.refuse(call, BlueZError.doesNotExist) }
        server.reply(to: call)
    }

    private func isOwn(_ call: IncomingCall) -> Bool {
        var reader = call.reader
        guard let own = agents[call.sender], let path = try? reader.readObjectPath() else { return false }
        return own == path
    }
}
