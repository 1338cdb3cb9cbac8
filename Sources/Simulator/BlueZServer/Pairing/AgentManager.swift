import BlueZDBus
import BlueZValues

/// The `AgentManager1` interface, modelled on src/agent.c.
@BlueZServerActor package final class AgentManager {
    private static let interface = BlueZInterface.agentManager.description
    private static let capabilities: Set<String> = [
        "", "DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay",
    ]

    private let server: ObjectServer
    private var agents: [String: Agent] = [:]
    /// The default agent, then its successors.
    private var defaults: [Agent] = []

    init(server: ObjectServer) {
        self.server = server
    }

    /// agent_get(): returns the client's own agent, or otherwise the default one.
    package func agent(of owner: String?) -> Agent? {
        owner.flatMap { agents[$0] } ?? defaults.first
    }

    func export(at path: ObjectPath) {
        agents.removeAll()
        defaults.removeAll()
        server.register(
            ExportedInterface(
                Self.interface,
                methods: [
                    .init("RegisterAgent", input: "os") { [weak self] call in self?.register(call) },
                    .init("UnregisterAgent", input: "o") { [weak self] call in self?.unregister(call) },
                    .init("RequestDefaultAgent", input: "o") { [weak self] call in self?.requestDefault(call) },
                ]
            ),
            at: path
        )
        // bluetoothd has this interface beside the others. It does nothing.
        server.register(ExportedInterface(BlueZInterface.healthManager.description), at: path)
    }

    /// Releases all agents, as bluetoothd does when it stops.
    package func releaseAll() {
        let released = agents.values
        agents.removeAll()
        defaults.removeAll()
        for agent in released {
            agent.cancel()
            agent.object.tell("Release")
        }
    }

    private func register(_ call: IncomingCall) {
        guard agents[call.sender] == nil else { return call.fail(BlueZError.alreadyExists) }
        var reader = call.reader
        guard let path = try? reader.readObjectPath(), let capability = try? reader.readString(),
            Self.capabilities.contains(capability)
        else { return call.fail(BlueZError.invalidArguments) }
        let object = ClientObject(owner: call.sender, path: path, interface: Agent.interface, server: server)
        let agent = Agent(object, capability: capability)
        agents[call.sender] = agent
        defaults.append(agent)
        call.reply()
    }

    private func unregister(_ call: IncomingCall) {
        guard ownAgent(call) != nil else { return call.fail(BlueZError.doesNotExist) }
        senderVanished(call.sender)
        call.reply()
    }

    func senderVanished(_ name: String) {
        guard let agent = agents.removeValue(forKey: name) else { return }
        agent.forget()
        defaults.removeAll { $0 === agent }
    }

    private func requestDefault(_ call: IncomingCall) {
        guard let agent = ownAgent(call) else { return call.fail(BlueZError.doesNotExist) }
        defaults.removeAll { $0 === agent }
        defaults.insert(agent, at: 0)
        call.reply()
    }

    private func ownAgent(_ call: IncomingCall) -> Agent? {
        var reader = call.reader
        guard let own = agents[call.sender], let path = try? reader.readObjectPath() else { return nil }
        return own.object.path == path ? own : nil
    }
}
