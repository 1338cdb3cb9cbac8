import BlueZDBus
import BlueZValues

/// An agent that a client registered, with its pending question. There is one question at a time (src/agent.c).
@BlueZServerActor package final class Agent {
    package typealias Completion = @BlueZServerActor (Result<Message, DBusError>) -> Void

    static let interface = BlueZInterface.agent.description
    /// REQUEST_TIMEOUT of src/agent.c.
    private static let timeout = Duration.seconds(60)

    let object: ClientObject
    let capability: String
    private var pending: (call: Connection.CallIdentifier, completion: Completion)?

    init(_ object: ClientObject, capability: String) {
        self.object = object
        self.capability = capability.isEmpty ? "KeyboardDisplay" : capability
    }

    /// Asks a question. A second one at the same time is refused as busy.
    package func ask(_ member: String, _ arguments: [Value], _ completion: @escaping Completion) {
        guard pending == nil else { return completion(.failure(BlueZError.inProgress)) }
        let call = object.call(member, arguments, timeout: Self.timeout) { [weak self] result in
            guard let self, self.pending != nil else { return }
            self.pending = nil
            if case .failure(let error) = result, error.name == DBusError.Name.timeout { self.object.tell("Cancel") }
            completion(result)
        }
        guard let call else { return completion(.failure(BlueZError.failed("D-Bus send failed"))) }
        pending = (call, completion)
    }

    /// agent_cancel(): withdraws the question, and notifies the agent.
    package func cancel() {
        if forget() { object.tell("Cancel") }
    }

    /// Withdraws the question silently, as when the agent is unregistered.
    @discardableResult
    func forget() -> Bool {
        guard let pending = self.pending.take() else { return false }
        object.server.connection?.cancel(pending.call)
        return true
    }
}
