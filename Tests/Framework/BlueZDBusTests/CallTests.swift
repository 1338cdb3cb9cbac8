import BlueZDBus
import TestSupport
import Testing

@Suite struct CallTests {
    @Test("A call to an object that never answers ends at its timeout, not before and not much later")
    func timeout() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho()
            let clock = SuspendingClock()
            let start = clock.now
            let error = await #expect(throws: DBusError.self) {
                try await client.call(server.name, "/echo", TestPeer.echo, "Never", timeout: .milliseconds(50))
            }
            let time = start.duration(to: clock.now)
            #expect(error?.name == DBusError.Name.timeout)
            #expect(error?.isLocal == true)
            #expect(error?.message == "Never got no reply within 0.05 seconds")
            #expect(time >= .milliseconds(50) && time < .seconds(30))
        }
    }

    @Test("A template is called again and again, and cannot be changed")
    func template() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho()
            let message = try client.message(server, "Echo")
            try message.write { (writer) throws(DBusError) in try writer.append([1, 2, 3] as [UInt8]) }
            try message.makeTemplate()
            let notes = Notes()
            for _ in 0..<3 { try client.open.call(message, timeout: Patience.timeout) { notes.add($0) } }
            await client.wait { notes.count == 3 }
            for result in notes.results { #expect(try Array(result.get().firstBytes()) == [1, 2, 3]) }
            #expect(message.serial == 0)
            #expect(throws: DBusError.self) {
                try message.write { (writer) throws(DBusError) in try writer.append(UInt8(4)) }
            }
            #expect(try Array(message.copy().firstBytes()) == [1, 2, 3])
        }
    }

    @Test("Deadlines expire in their order, whatever the order of the calls")
    func deadlines() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho()
            var order: [Int] = []
            // On a busy machine time passes between two calls.
            var due: [(instant: SuspendingClock.Instant, milliseconds: Int)] = []
            for milliseconds in [60, 20, 40, -5, 0] {
                let message = try client.message(server, "Never")
                due.append((SuspendingClock().now.advanced(by: .milliseconds(milliseconds)), milliseconds))
                try client.open.call(message, timeout: .milliseconds(milliseconds)) { _ in order.append(milliseconds) }
            }
            #expect(order.isEmpty)
            await client.wait { order.count == 5 }
            due.sort { $0.instant < $1.instant }
            #expect(order == due.map(\.milliseconds))
        }
    }

    @Test("A private bus refuses what the system bus would: the 129th call under way", arguments: [nil, 10])
    func pendingCalls(limit: Int?) async throws {
        try await TestActor.run {
            var configuration = PrivateBus.Configuration()
            #expect(configuration.matchRules == 512 && configuration.pendingCalls == 128)
            if let limit { configuration.pendingCalls = limit }
            let bus = try PrivateBus(configuration: configuration)
            let server = try await TestPeer(bus.address)
            let client = try await TestPeer(bus.address)
            try server.exportEcho()
            let notes = Notes()
            for _ in 0..<configuration.pendingCalls + 3 {
                try client.open.call(client.message(server, "Never"), timeout: nil) { notes.add($0) }
            }
            await client.wait { notes.count == 3 }
            // What is called of the bus itself does not count, and is answered after all that came before.
            _ = try await client.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")
            #expect(notes.errors == Array(repeating: DBusError.Name.limitsExceeded, count: 3))
        }
    }

    @Test("An answer that comes after the timeout is dropped")
    func lateReply() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let server = try await TestPeer(bus.address)
            let client = try await TestPeer(bus.address)
            var held: IncomingCall?
            let method = ExportedInterface.Method("Late") { held = $0 }
            try server.open.export(ExportedInterface(TestPeer.echo, methods: [method]), at: ObjectPath("/echo"))
            let notes = Notes()
            try client.open.call(client.message(server, "Late"), timeout: .milliseconds(20)) { notes.add($0) }
            await client.wait { notes.count == 1 }
            await server.wait { held != nil }
            held?.reply()
            held = nil
            // The bus keeps the order of one sender's messages: what comes after the late reply has passed it.
            try server.open.emit("Done", of: TestPeer.echo, from: .root, to: client.name)
            await client.wait { !client.signals.isEmpty }
            #expect(notes.errors == [DBusError.Name.timeout])
        }
    }

    @Test("A cancelled call's reply never runs, its answer is dropped")
    func cancel() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho([""])
            let notes = Notes()
            let call = try #require(
                try client.open.call(client.message(server, "Echo"), timeout: .seconds(60)) { notes.add($0) })
            try client.open.cancel(call)
            try client.open.cancel(call)
            let answer = try await client.call(server.name, "/echo", TestPeer.echo, "Echo")
            #expect(answer.isEmpty)
            #expect(notes.count == 0)
        }
    }

    @Test("An error keeps the name and the text that the peer gave it")
    func errorText() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            let method = ExportedInterface.Method("Fail") { $0.fail("org.example.Error.Own", "Grüße") }
            try server.open.export(ExportedInterface(TestPeer.echo, methods: [method]), at: ObjectPath("/echo"))
            await #expect(throws: DBusError(name: "org.example.Error.Own", message: "Grüße")) {
                try await client.call(server.name, "/echo", TestPeer.echo, "Fail")
            }
        }
    }

    @Test("A call to a name that nobody owns fails with ServiceUnknown")
    func serviceUnknown() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let client = try await TestPeer(bus.address)
            let error = await #expect(throws: DBusError.self) {
                try await client.call("org.example.Nobody", "/", TestPeer.echo, "Echo")
            }
            #expect(error?.name == DBusError.Name.serviceUnknown)
            #expect(error?.isLocal == false)
        }
    }

    @Test("A peer that leaves the bus ends the calls to it with NoReply")
    func peerLeaves() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            var calls: [IncomingCall] = []
            let method = ExportedInterface.Method("Never") { calls.append($0) }
            try server.open.export(ExportedInterface(TestPeer.echo, methods: [method]), at: ObjectPath("/echo"))
            let notes = Notes()
            for _ in 0..<3 {
                try client.open.call(client.message(server, "Never"), timeout: nil) { notes.add($0) }
            }
            await server.wait { calls.count == 3 }
            try server.open.close()
            await client.wait { notes.count == 3 }
            #expect(notes.errors == Array(repeating: DBusError.Name.noReply, count: 3))
            calls.removeAll()
        }
    }

    @Test("A call may be made inside a reply, and the connection closed inside one")
    func reentrancy() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho([""])
            let connection = try client.open
            let (outer, inner, pending) = (Notes(), Notes(), Notes())
            try connection.call(client.message(server, "Never"), timeout: nil) { pending.add($0) }
            let next = try client.message(server, "Echo")
            let last = try client.message(server, "Echo")
            try connection.call(client.message(server, "Echo"), timeout: .seconds(60)) { [weak connection] result in
                outer.add(result)
                connection?.call(next, timeout: .seconds(60)) { result in
                    inner.add(result)
                    connection?.close()
                    connection?.call(last, timeout: .seconds(60)) { inner.add($0) }
                    #expect(inner.count == 1)
                }
                #expect(inner.count == 0)
            }
            await client.wait { inner.count == 2 }
            #expect(outer.errors == ["none"])
            #expect(inner.errors == ["none", DBusError.Name.disconnected])
            #expect(pending.errors == [DBusError.Name.disconnected])
        }
    }

    @Test("Only a method call that wants a reply and was not sent before can be called")
    func wrongMessages() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho([""])
            let notes = Notes()
            let silent = try client.message(server, "Echo")
            silent.forbidReply()
            let twice = try client.message(server, "Echo")
            let broken = try client.message(server, "Echo")
            try? broken.write { (writer) throws(DBusError) in try writer.append("\u{0}") }
            let wrong = [try Message.signal(path: .root, interface: "a.b", member: "C"), silent, twice, broken]
            let answers = Notes()
            try client.open.call(twice, timeout: .seconds(60)) { answers.add($0) }
            for message in wrong {
                #expect(try client.open.call(message, timeout: .seconds(60)) { notes.add($0) } == nil)
            }
            #expect(notes.count == 0)
            await client.wait { notes.count == 4 && answers.count == 1 }
            #expect(notes.errors == Array(repeating: DBusError.Name.invalidArguments, count: 4))
            #expect(answers.errors == ["none"])
        }
    }

    @Test("Messages of a megabyte pass both ways, and many at once")
    func big() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho()
            let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0) }
            let notes = Notes()
            for _ in 0..<8 {
                let message = try client.message(server, "Echo")
                try message.write { (writer) throws(DBusError) in try writer.append(bytes) }
                try client.open.call(message, timeout: .seconds(60)) { notes.add($0) }
            }
            await client.wait { notes.count == 8 }
            for result in notes.results {
                var reader = try result.get().reader
                let answer = try reader.readBytes()
                #expect(answer == bytes)
            }
        }
    }

    @Test("Clients that call at the same time each get their own answers")
    func concurrent() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let server = try await TestPeer(bus.address)
            try server.exportEcho(["u"])
            var clients: [TestPeer] = []
            for _ in 0..<8 { clients.append(try await TestPeer(bus.address)) }
            var answers = Array(repeating: [UInt32](), count: clients.count)
            for number in 0..<50 as Range<UInt32> {
                for (index, client) in clients.enumerated() {
                    let message = try client.message(server, "Echo")
                    try message.write { (writer) throws(DBusError) in try writer.append(UInt32(index) * 1000 + number) }
                    try client.open.call(message, timeout: .seconds(60)) { result in
                        guard var reader = try? result.get().reader, let value = try? reader.readUInt32() else {
                            return
                        }
                        answers[index].append(value)
                    }
                }
            }
            for (index, client) in clients.enumerated() {
                await client.wait { answers[index].count == 50 }
                #expect(answers[index] == (0..<50).map { UInt32(index) * 1000 + $0 })
            }
        }
    }
}
