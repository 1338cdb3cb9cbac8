import BlueZDBus
import BlueZServer

/// Records incoming calls, and sends the replies that a test has set.
@SimulatorActor final class CallRecorder {
    private struct Key: Hashable {
        let interface: String
        let member: String
    }

    /// Whether calls are recorded. False by default, because a simulator may run for a long time.
    var isKept = false
    private(set) var received: [ReceivedCall] = []
    /// Returns the device at a path.
    var device: (@SimulatorActor (ObjectPath) -> Device?)?
    private var replies: [Key: [SimulatedReply]] = [:]

    func reply(_ reply: SimulatedReply, to member: String, of interface: String, times: Int) {
        replies[Key(interface: interface, member: member), default: []] += Array(
            repeating: reply, count: max(0, times))
    }

    func clear() {
        received.removeAll()
        replies.removeAll()
    }

    /// Records a call. Returns true if it got a reply that a test has set.
    func takes(_ call: IncomingCall, of interface: String) -> Bool {
        let key = Key(interface: interface, member: call.message.member ?? "")
        keep(call, key)
        return repliesOtherwise(to: call, key)
    }

    private func keep(_ call: IncomingCall, _ key: Key) {
        guard isKept else { return }
        var reader = call.reader
        let arguments = (try? reader.readRemainingValues()) ?? []
        let path = call.message.path
        var received = ReceivedCall(
            path: path?.string ?? "", interface: key.interface, member: key.member, arguments: arguments,
            sender: call.sender)
        if key.interface == Device.interface, let path, let device = device?(path) {
            received.linkMaker = device.linkMaker
            received.pairingClient = device.pairingClient
        }
        self.received.append(received)
    }

    private func repliesOtherwise(to call: IncomingCall, _ key: Key) -> Bool {
        guard var waiting = replies[key], !waiting.isEmpty else { return false }
        let reply = waiting.removeFirst()
        replies[key] = waiting
        switch reply {
        case .error(let name, let message): call.fail(name, message)
        case .success: call.reply()
        case .silence: call.abandon()
        }
        return true
    }
}

/// A reply that replaces bluetoothd's usual one.
public enum SimulatedReply: Hashable, Sendable {
    /// An error, with its name and text. The call has no other effect.
    case error(name: String, message: String)
    /// An empty reply. The call has no other effect.
    case success
    /// No reply at all. The call has no other effect.
    case silence
}

/// A call that a client made.
public struct ReceivedCall: Hashable, Sendable {
    /// The path of the object whose method was called.
    public let path: String
    /// The interface of the method, such as "org.bluez.Device1".
    public let interface: String
    /// The name of the method, such as "Connect".
    public let member: String
    /// The arguments of the call, in order.
    public let arguments: [Value]
    /// The client's unique name on the bus.
    public let sender: String
    /// The side that had made the device's link when the call arrived, or was making it.
    package var linkMaker: LinkMaker?
    /// The client for which bluetoothd was pairing the device then.
    package var pairingClient: String?
}
