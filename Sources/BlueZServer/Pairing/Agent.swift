import DBus

/// An agent that a client registered, and its pending question, one at a time (src/agent.c).
@BlueZServerActor package final class Agent {
    package typealias Completion = @BlueZServerActor (Result<Message, DBusError>) -> Void

    static let interface = "org.bluez.Agent1"
    /// REQUEST_TIMEOUT of src/agent.c.
    private static let timeout = Duration.seconds(60)

    let owner: String
    let path: ObjectPath
    let capability: String
    private let server: ObjectServer
    private var pending: (call: Connection.CallIdentifier, completion: Completion)?

    init(owner: String, path: ObjectPath, capability: String, server: ObjectServer) {
        self.owner = owner
        self.path = path
        self.capability = capability.isEmpty ? "KeyboardDisplay" : capability
        self.server = server
    }

    /// Asks; a second question at the same time is refused as busy.
    package func ask(_ member: String, _ arguments: [Value], _ completion: @escaping Completion) {
        guard pending == nil, let message = call(member, arguments), let connection = server.connection else {
            return completion(.failure(BlueZError.inProgress))
        }
        let call = connection.call(message, timeout: Self.timeout) { [weak self] result in
            guard let self, self.pending != nil else { return }
            self.pending = nil
            if case .failure(let error) = result, error.name == DBusError.Name.timeout { self.tell("Cancel") }
            completion(result)
        }
        guard let call else { return completion(.failure(BlueZError.failed("D-Bus send failed"))) }
        pending = (call, completion)
    }

    /// Calls a method that returns nothing.
    func tell(_ member: String, _ arguments: [Value] = []) {
        guard let message = call(member, arguments) else { return }
        message.forbidReply()
        try? server.connection?.send(message)
    }

    /// agent_cancel(): withdraws the question and informs the agent.
    package func cancel() {
        guard forget() else { return }
        tell("Cancel")
    }

    /// Withdraws the question silently, as when the agent is unregistered.
    @discardableResult
    func forget() -> Bool {
        guard let pending else { return false }
        self.pending = nil
        server.connection?.cancel(pending.call)
        return true
    }

    private func call(_ member: String, _ arguments: [Value]) -> Message? {
        server.flush()
        guard
            let message = try? Message.methodCall(to: owner, path: path, interface: Self.interface, member: member),
            (try? message.write { (writer) throws(DBusError) in for each in arguments { try writer.append(each) } })
                != nil
        else { return nil }
        return message
    }
}
