import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

/// The bus of the tests with a virtual clock does what dbus-daemon does for them.
@Suite(.realTime) struct TestBusTests {
    @Test("Names, rules and replies are those of dbus-daemon, with its errors")
    func equal() async throws {
        try await SimulatorActor.run {
            var limits = PrivateBus.Configuration()
            limits.matchRules = 3
            let daemon = try PrivateBus(configuration: limits)
            let bus = try TestBus(matchRules: 3)
            let expected = try await BusScript(daemon.address).run()
            #expect(expected.count > 20)
            let seen = try await BusScript(bus.address).run()
            #expect(seen == expected)
            withExtendedLifetime((daemon, bus)) {}
        }
    }
}

/// Two clients of a bus, and what they see.
@SimulatorActor private final class BusScript {
    private let first: Connection
    private let second: Connection
    private var lines: [String] = []

    init(_ address: String) async throws {
        first = try Connection(to: .address(address), loop: SimulatorActor.loop)
        second = try Connection(to: .address(address), loop: SimulatorActor.loop)
    }

    isolated deinit {
        first.close()
        second.close()
    }

    func run() async throws -> [String] {
        for connection in [first, second] {
            connection.signalHandler = { [weak self] signal in
                var reader = signal.reader
                let values = (try? reader.readRemainingValues()) ?? []
                let sender = signal.sender == "org.freedesktop.DBus" ? "bus" : "client"
                self?.lines.append("signal \(signal.member ?? "") of \(sender) \(values)")
            }
            await withCheckedContinuation { done in
                connection.hello(timeout: .ample) {
                    self.lines.append("Hello: \($0)")
                    done.resume()
                }
            }
            // The signal of this connection comes before the next reply to it, but perhaps after one to the other.
            await bus(connection, "GetNameOwner", "org.example.B")
        }
        await bus(first, "AddMatch", "type='signal',sender='org.example.A',path_namespace='/a',arg0='x'")
        await bus(second, "RequestName", "org.example.A", flags: 4)
        await bus(first, "RequestName", "org.example.A", flags: 4)
        await bus(second, "RequestName", "org.example.A", flags: 4)
        await bus(first, "GetNameOwner", "org.example.A")
        await bus(first, "GetNameOwner", "org.example.B")
        await bus(first, "RemoveMatch", "type='signal',member='Never'")
        await bus(first, "AddMatch", "type='signal',arg0='It'\\''s'")
        await bus(first, "AddMatch", "member='Two'")
        await bus(first, "AddMatch", "member='Three'")
        for mayStart in [false, true] {
            try call("org.example.B", mayStart: mayStart) { [weak self] in self?.lines.append("call: \($0)") }
            await bus(first, "GetNameOwner", "org.example.B")
        }
        try emit("/a/b", "x")
        try emit("/ab", "x")
        try emit("/a", "y")
        await bus(second, "ReleaseName", "org.example.A")
        await bus(second, "ReleaseName", "org.example.A")
        await bus(first, "RequestName", "org.example.A", flags: 4)
        // The second client leaves without a reply.
        second.suspend()
        var end: String?
        try call(second.uniqueName ?? "") { end = $0 }
        await bus(first, "GetNameOwner", "org.example.A")
        second.close()
        try await eventually("the end of the call") { end != nil }
        lines.append("call: \(end ?? "")")
        return lines
    }

    private func bus(_ connection: Connection, _ member: String, _ argument: String, flags: UInt32? = nil) async {
        // Noted when they arrive: a task continues later.
        let note = { (result: String) in self.lines.append("\(member) \(argument): \(result)") }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            do throws(DBusError) {
                try connection.callBus(member, timeout: .ample) { (writer) throws(DBusError) in
                    try writer.append(argument)
                    if let flags { try writer.append(flags) }
                } reply: {
                    note(Self.text($0))
                    done.resume()
                }
            } catch {
                note("\(error)")
                done.resume()
            }
        }
    }

    private func call(_ name: String, mayStart: Bool = false, reply: @escaping (String) -> Void) throws {
        let message = try Message.methodCall(to: name, path: .root, interface: "org.example.I", member: "Wait")
        if !mayStart { message.forbidAutoStart() }
        first.call(message, timeout: .ample) { reply(Self.text($0)) }
    }

    private func emit(_ path: String, _ argument: String) throws {
        try second.emit("Changed", of: "org.example.I", from: ObjectPath(path)) { (writer) throws(DBusError) in
            try writer.append(argument)
        }
    }

    private nonisolated static func text(_ result: Result<Message, DBusError>) -> String {
        switch result {
        case .success(let message):
            var reader = message.reader
            return "\((try? reader.readRemainingValues()) ?? [])"
        case .failure(let error): return "\(error.name) \(error.message)"
        }
    }
}
