import BlueZClient
import BlueZDBus

/// The object that bluetoothd calls while it pairs a device (doc/org.bluez.Agent.rst). BlueZ accepts one per connection
/// to the bus. It is registered while a program has a `PairingAgent`, and otherwise during pairing: without an agent,
/// `Pair` fails even if there is nothing to ask.
@BluetoothActor final class AgentRegistration: Registration {
    private(set) weak var client: BlueZClient?
    /// The devices that this process is pairing, with the number of operations for each.
    private(set) var devices: [ObjectPath: Int] = [:]
    private var exportedOn: ObjectIdentifier?
    private(set) var agent: PairingAgent?
    private(set) weak var manager: CentralManager?
    private(set) var isDefault = false
    /// The capability registered with this instance of bluetoothd.
    private var registered: PairingCapability?

    private static let agentManager = BlueZ.agentManager
    private static let interface = BlueZ.agent
    private static let managerPath = "/org/bluez"
    private static let ownPath = "/org/corebluez/agent"
    private typealias Completion = @BluetoothActor (BluetoothError?) -> Void

    init(_ client: BlueZClient) {
        self.client = client
    }

    // MARK: The program's agent

    /// Makes an agent the one of this process, replacing the manager's earlier one.
    func set(
        _ agent: PairingAgent,
        of manager: CentralManager,
        asDefault isDefault: Bool,
        _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        if self.agent != nil, let owner = self.manager, owner !== manager {
            let text = "Another central manager of this program has a pairing agent; unregister that first"
            return BluetoothActor.perform { completion(BluetoothError(.busy, text)) }
        }
        if self.agent !== agent { self.agent?.cancelQuestions() }
        self.agent = agent
        self.manager = manager
        self.isDefault = isDefault
        unregister()
        register { [weak self] error in
            if error != nil, self?.agent === agent { self?.agent = nil }
            completion(error)
        }
    }

    func managerIsGone(_ manager: ObjectIdentifier) { remove(of: manager) }

    /// Removes the agent of a manager.
    func remove(of identifier: ObjectIdentifier, _ completion: (@BluetoothActor (BluetoothError?) -> Void)? = nil) {
        guard let agent, manager.map({ ObjectIdentifier($0) == identifier }) ?? true else {
            BluetoothActor.perform { completion?(nil) }
            return
        }
        self.agent = nil
        isDefault = false
        agent.cancelQuestions()
        unregister(completion)
        if !devices.isEmpty { register { _ in } }
    }

    // MARK: Pairing

    /// Registers the agent for pairing a device, if it is not registered yet.
    func begin(_ device: ObjectPath, _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        devices[device, default: 0] += 1
        guard registered == nil else { return BluetoothActor.perform { completion(nil) } }
        register(completion)
    }

    /// Unregisters the agent after the last pairing, if it was registered only for pairing.
    func end(_ device: ObjectPath) {
        guard let count = devices[device] else { return }
        devices[device] = count > 1 ? count - 1 : nil
        if count == 1, let peripheral = peripheral(device) { agent?.cancelQuestions(about: peripheral) }
        if devices.isEmpty, agent == nil { unregister() }
    }

    func daemonEnded() {
        registered = nil
        agent?.cancelQuestions()
    }

    /// Called when bluetoothd releases the agent because it stops.
    func released() {
        registered = nil
        agent?.cancelQuestions()
        agent?.releaseHandler?()
    }

    func daemonStarted() {
        guard agent != nil, registered == nil else { return }
        register { error in
            guard let error else { return }
            log.warning("The pairing agent is not registered", metadata: ["error": "\(error)"])
        }
    }

    // MARK: bluetoothd's list of agents

    private func register(_ completion: @escaping Completion) {
        let capability = agent?.capability ?? .noInputNoOutput
        do throws(DBusError) {
            let path = try export()
            registered = capability
            try call("RegisterAgent") { (writer) throws(DBusError) in
                try writer.append(.objectPath(path))
                try writer.append(.string(capability.rawValue))
            } completion: { [weak self] error in
                guard let self else { return completion(error ?? .cancelled("Registering for pairing")) }
                guard let error, error.bluezName != BlueZErrorName.alreadyExists.rawValue else {
                    return self.isDefault ? self.requestDefault(path, completion) : completion(nil)
                }
                self.registered = nil
                completion(error)
            }
        } catch {
            registered = nil
            BluetoothActor.perform { completion(BluetoothError(error, in: .other, "Registering for pairing")) }
        }
    }

    private func requestDefault(_ path: ObjectPath, _ completion: @escaping Completion) {
        do throws(DBusError) {
            try call("RequestDefaultAgent") { (writer) throws(DBusError) in
                try writer.append(.objectPath(path))
            } completion: {
                completion($0)
            }
        } catch {
            completion(BluetoothError(error, in: .other, "Registering for pairing"))
        }
    }

    private func unregister(_ completion: Completion? = nil) {
        guard registered != nil, let path = try? ObjectPath(Self.ownPath) else {
            BluetoothActor.perform { completion?(nil) }
            return
        }
        registered = nil
        do throws(DBusError) {
            try call("UnregisterAgent") { (writer) throws(DBusError) in
                try writer.append(.objectPath(path))
            } completion: {
                completion?($0)
            }
        } catch {
            BluetoothActor.perform { completion?(BluetoothError(error, in: .other, "Unregistering for pairing")) }
        }
    }

    private func call(
        _ member: String,
        _ write: (inout MessageWriter) throws(DBusError) -> Void,
        completion: @escaping Completion
    ) throws(DBusError) {
        guard let client else { throw .disconnected() }
        client.call(
            try ObjectPath(Self.managerPath), Self.agentManager, member, limit: Timeouts.discovery, write: write
        ) { result in
            switch result {
            case .success: completion(nil)
            case .failure(let error): completion(BluetoothError(error, in: .other, "Registering for pairing"))
            }
        }
    }

    private func export() throws(DBusError) -> ObjectPath {
        let path = try ObjectPath(Self.ownPath)
        guard let connection = client?.connection else { throw .disconnected() }
        guard exportedOn != ObjectIdentifier(connection) else { return path }
        exportedOn = ObjectIdentifier(connection)
        connection.export(ExportedInterface(Self.interface, methods: methods), at: path)
        return path
    }
}

extension BlueZClient {
    /// This process's agent.
    var agent: AgentRegistration { registration() }
}
