import DBus

/// An answer of bluetoothd instead of its usual one.
public enum SimulatedAnswer: Hashable, Sendable {
    /// An error with its name and text; nothing else happens.
    case error(name: String, message: String)
    /// An empty reply; nothing else happens.
    case success
    /// No answer, ever; nothing else happens.
    case silence
}

/// A call that a client made.
public struct ReceivedCall: Hashable, Sendable {
    /// The object's path.
    public let path: String
    /// The interface.
    public let interface: String
    /// The method.
    public let member: String
    /// The arguments.
    public let arguments: [Value]
    /// The client's unique name on the bus.
    public let sender: String
}

/// Records incoming calls, and answers those for which a test has set another answer.
@SimulatorActor final class CallLedger {
    private struct Key: Hashable {
        let interface: String
        let member: String
    }

    /// Whether calls are recorded. Off by default: a simulator may live long.
    var isKept = false
    private(set) var received: [ReceivedCall] = []
    private var answers: [Key: [SimulatedAnswer]] = [:]

    func answer(_ answer: SimulatedAnswer, to member: String, of interface: String, times: Int) {
        answers[Key(interface: interface, member: member), default: []] += Array(
            repeating: answer, count: max(0, times))
    }

    func clear() {
        received.removeAll()
        answers.removeAll()
    }

    /// Records a call. Returns true if it was answered otherwise.
    func takes(_ call: IncomingCall, of interface: String) -> Bool {
        let key = Key(interface: interface, member: call.message.member ?? "")
        keep(call, key)
        return answers(call, key)
    }

    private func keep(_ call: IncomingCall, _ key: Key) {
        guard isKept else { return }
        var reader = call.reader
        let arguments = (try? reader.readRemainingValues()) ?? []
        received.append(
            ReceivedCall(
                path: call.message.path?.string ?? "", interface: key.interface, member: key.member,
                arguments: arguments, sender: call.sender
            )
        )
    }

    private func answers(_ call: IncomingCall, _ key: Key) -> Bool {
        guard var waiting = answers[key], !waiting.isEmpty else { return false }
        let answer = waiting.removeFirst()
        answers[key] = waiting
        switch answer {
        case .error(let name, let message): call.fail(name, message)
        case .success: call.reply()
        case .silence: call.abandon()
        }
        return true
    }
}
