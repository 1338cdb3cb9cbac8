import BlueZDBus
import BlueZSimulator
import BlueZUnixSockets

/// A message bus on the simulator's loop, with what the framework and the simulator use of dbus-daemon: names, match
/// rules, replies and file descriptors. With a dbus-daemon between, nobody could know whether a message is on its way,
/// and the order of two connections' messages would be another one in each run.
///
/// It ends when it is released.
@SimulatorActor public final class TestBus: SimulatorBus {
    /// The address for clients.
    public nonisolated let address: String

    /// A call whose reply has not passed yet.
    private struct Pending: Equatable {
        let caller: ObjectIdentifier
        let callee: ObjectIdentifier
        let serial: UInt32
        let text: String
    }

    private struct Reference {
        weak var bus: TestBus?
    }

    private static var all: [Reference] = []
    private static var trace: [String]?

    private let listener: UnixListener
    private var token: EventLoop.Token?
    private var clients: [BusClient] = []
    private var owners: [String: BusClient] = [:]
    private var pending: [Pending] = []
    private var nextName = 0
    private var lastSerial: UInt32 = 0

    private let matchRules: Int

    /// Starts a bus.
    ///
    /// - Parameter matchRules: how many match rules a connection may have.
    public init(matchRules: Int = 512) throws {
        self.matchRules = matchRules
        listener = try UnixListener()
        address = ServerAddress.socket(at: listener.path).description
        token = SimulatorActor.loop.addSource(descriptor: listener.descriptor.rawValue, events: .readable) {
            [weak self] _ in SimulatorActor.assumeIsolated { self?.accept() }
        }
        Self.all = Self.all.filter { $0.bus != nil } + [Reference(bus: self)]
    }

    isolated deinit { kill() }

    /// The calls without a reply on all buses, for messages.
    public static var pendingCalls: [String] { all.flatMap { $0.bus?.pending.map(\.text) ?? [] } }

    /// Notes each message of a client from now on.
    public static func beginTrace() { trace = [] }

    /// The messages since `beginTrace`, in order: the sender's name, what is called or signalled, and all bytes in
    /// hexadecimal.
    public static func endTrace() -> [String] {
        defer { trace = nil }
        return trace ?? []
    }

    /// Ends the bus like a crash. Every connection is lost.
    public func kill() {
        if let token { SimulatorActor.loop.removeSource(token) }
        token = nil
        for client in clients { client.close() }
        clients = []
    }

    private func accept() {
        while let socket = try? listener.accept() {
            clients.append(
                BusClient(
                    socket,
                    message: { [weak self] in self?.handle($0, $1, $2) },
                    end: { [weak self] in self?.remove($0) }))
        }
    }

    private func remove(_ client: BusClient) {
        clients.removeAll { $0 === client }
        for name in owners.keys.sorted() where owners[name] === client { changeOwner(of: name, from: client, to: nil) }
        if !client.name.isEmpty { ownerChanged(client.name, client.name, "") }
        let lost = pending.filter { $0.callee == ObjectIdentifier(client) }
        pending.removeAll { [$0.caller, $0.callee].contains(ObjectIdentifier(client)) }
        for call in lost {
            guard let caller = clients.first(where: { ObjectIdentifier($0) == call.caller }) else { continue }
            fail(call.serial, of: caller, "NoReply", "Message recipient disconnected from message bus without replying")
        }
    }

    // MARK: Messages

    private func handle(_ client: BusClient, _ bytes: ArraySlice<UInt8>, _ descriptors: [UnixFileDescriptor]) {
        guard let message = try? Message.decode(bytes, descriptors) else { return }
        if Self.trace != nil {
            Self.trace?.append("\(client.name) \(message.member ?? "") \(String(hexadecimal: bytes))")
        }
        if message.destination == BusMessage.bus, message.kind == .methodCall { return callBus(client, message) }
        let bytes = BusMessage.adding(sender: client.name, to: bytes)
        guard let destination = message.destination else {
            if message.kind == .signal { broadcast(message, bytes, from: client.name) }
            return
        }
        guard let receiver = owner(of: destination) else {
            return refuse(message, of: client, destination, mayStart: bytes[2] & 2 == 0)
        }
        switch message.kind {
        case .methodCall where message.wantsReply:
            pending.append(
                Pending(
                    caller: ObjectIdentifier(client), callee: ObjectIdentifier(receiver), serial: message.serial,
                    text: "\(client.name) \(message.member ?? "") \(message.path?.string ?? "")"))
        case .methodReturn, .error:
            let call = pending.firstIndex {
                $0.caller == ObjectIdentifier(receiver) && $0.callee == ObjectIdentifier(client)
                    && $0.serial == message.replySerial
            }
            // A reply that nobody waits for goes no further.
            guard let call else { return }
            pending.remove(at: call)
        default: break
        }
        receiver.send(bytes, descriptors)
    }

    private func refuse(_ message: Message, of client: BusClient, _ destination: String, mayStart: Bool) {
        guard message.kind == .methodCall, message.wantsReply else { return }
        if mayStart {
            fail(
                message.serial, of: client, "ServiceUnknown",
                "The name \(destination) was not provided by any .service files")
        } else {
            fail(message.serial, of: client, "NameHasNoOwner", "Name \"\(destination)\" does not exist")
        }
    }

    private func broadcast(_ message: Message, _ bytes: [UInt8], from sender: String) {
        for client in clients {
            let matches = client.rules.contains { rule in
                rule.matches(message, from: sender) { owners[$0]?.name }
            }
            if matches { client.send(bytes) }
        }
    }

    private func owner(of name: String) -> BusClient? {
        owners[name] ?? (name.isEmpty ? nil : clients.first { $0.name == name })
    }

    // MARK: The bus's own messages

    private func makeSerial() -> UInt32 {
        lastSerial += 1
        return lastSerial
    }

    private func fail(_ serial: UInt32, of client: BusClient, _ name: String, _ text: String) {
        client.send(BusMessage.error(name, text, to: serial, serial: makeSerial(), receiver: client.name))
    }

    private func ownerChanged(_ name: String, _ old: String, _ new: String) {
        let bytes = BusMessage.signal(
            "NameOwnerChanged", [.text(name), .text(old), .text(new)], serial: makeSerial(), receiver: nil)
        guard let message = try? Message.decode(bytes[...]) else { return }
        broadcast(message, bytes, from: BusMessage.bus)
    }

    private func changeOwner(of name: String, from old: BusClient?, to new: BusClient?) {
        owners[name] = new
        old?.send(BusMessage.signal("NameLost", [.text(name)], serial: makeSerial(), receiver: old?.name))
        ownerChanged(name, old?.name ?? "", new?.name ?? "")
        new?.send(BusMessage.signal("NameAcquired", [.text(name)], serial: makeSerial(), receiver: new?.name))
    }

    private func callBus(_ client: BusClient, _ call: Message) {
        func reply(_ arguments: BusMessage.Argument...) {
            guard call.wantsReply else { return }
            client.send(BusMessage.reply(to: call, arguments, serial: makeSerial(), receiver: client.name))
        }
        var reader = call.reader
        let argument = (try? reader.readString()) ?? ""
        switch call.member {
        case "Hello":
            client.name = ":1.\(nextName)"
            nextName += 1
            reply(.text(client.name))
            ownerChanged(client.name, "", client.name)
            client.send(
                BusMessage.signal("NameAcquired", [.text(client.name)], serial: makeSerial(), receiver: client.name))
        case "RequestName":
            let old = owners[argument]
            if old == nil { changeOwner(of: argument, from: nil, to: client) }
            // 1: primary owner; 3: exists; 4: already owner.
            reply(.number(old == nil ? 1 : old === client ? 4 : 3))
        case "ReleaseName":
            let isOwner = owners[argument] === client
            let exists = owners[argument] != nil
            if isOwner { changeOwner(of: argument, from: client, to: nil) }
            // 1: released; 2: not existent; 3: not owner.
            reply(.number(isOwner ? 1 : exists ? 3 : 2))
        case "AddMatch":
            guard let rule = BusRule(argument) else {
                return fail(call.serial, of: client, "MatchRuleInvalid", "The rule is malformed")
            }
            guard client.rules.count < matchRules else {
                return fail(
                    call.serial, of: client, "LimitsExceeded",
                    """
                    Connection "\(client.name)" is not allowed to add more match rules (increase limits in \
                    configuration file if required; max_match_rules_per_connection=\(matchRules))
                    """)
            }
            client.rules.append(rule)
            reply()
        case "RemoveMatch":
            guard let index = client.rules.firstIndex(where: { $0.text == argument }) else {
                return fail(
                    call.serial, of: client, "MatchRuleNotFound",
                    "The given match rule wasn't found and can't be removed")
            }
            client.rules.remove(at: index)
            reply()
        case "GetNameOwner":
            guard let name = argument == BusMessage.bus ? argument : owner(of: argument)?.name else {
                return fail(
                    call.serial, of: client, "NameHasNoOwner",
                    "Could not get owner of name '\(argument)': no such name")
            }
            reply(.text(name))
        case "ListNames":
            reply(.texts([BusMessage.bus] + owners.keys.sorted() + clients.map(\.name).filter { !$0.isEmpty }))
        case "GetConnectionStats":
            reply(.property("MatchRules", UInt32(owner(of: argument)?.rules.count ?? 0)))
        default:
            fail(call.serial, of: client, "UnknownMethod", "The bus has no method \(call.member ?? "")")
        }
    }
}
