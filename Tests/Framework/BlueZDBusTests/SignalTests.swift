import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import BlueZDBus

@Suite struct SignalTests {
    @TestActor private static func add(_ rule: MatchRule, _ peer: TestPeer) async -> DBusError? {
        await withCheckedContinuation { continuation in
            peer.connection?.addMatch(rule, timeout: .seconds(60)) { continuation.resume(returning: $0) }
        }
    }

    @Test("Ten thousand signals arrive in the order in which they were sent, while calls are answered between them")
    func order() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho(["u"])
            #expect(await Self.add(MatchRule(sender: server.name, interface: "org.example.Count"), client) == nil)
            let connection = try server.open
            for number in 0..<10_000 as Range<UInt32> {
                try connection.emit("Tick", of: "org.example.Count", from: .root) { (writer) throws(DBusError) in
                    try writer.append(number)
                }
            }
            let answer = try await client.call(server.name, "/echo", TestPeer.echo, "Echo", [.uint32(1)])
            #expect(answer == [.uint32(1)])
            await client.wait { client.signals.count == 10_000 }
            var numbers: [UInt32] = []
            for signal in client.signals {
                var reader = signal.reader
                numbers.append(try reader.readUInt32())
            }
            #expect(numbers == Array(0..<10_000))
        }
    }

    @Test("A change of bytes is the message that is written argument by argument, whatever is aligned how")
    func change() throws {
        let lengths = Array(0...9) + [20, 512]
        for (interface, property) in [("a.b", "V"), ("a.bc", "Va"), ("a.bcd", "Val"), ("org.bluez.X1", "Value")] {
            for path in try ["/", "/ab", "/abc/d"].map({ try ObjectPath($0) }) {
                let change = try BytesChange(of: property, interface, at: path, destination: ":1.5")
                for length in lengths {
                    let value = Data((0..<length).map { UInt8(truncatingIfNeeded: $0) })
                    let plain = try Message.signal(
                        path: path, interface: StandardInterface.properties, member: "PropertiesChanged")
                    try plain.setDestination(":1.5")
                    try plain.write { (writer) throws(DBusError) in
                        try writer.append(interface)
                        try writer.append(properties: [(key: property, value: .bytes([UInt8](value)))])
                        try writer.append(Value.strings([]))
                    }
                    #expect(try change.message(value).bytes == plain.bytes)
                    #expect(try change.message(value).serial == 0)
                }
            }
        }
        #expect(throws: DBusError.self) {
            try BytesChange(of: "Value", "a.b", at: .root, destination: "not a name")
        }
    }

    @Test("However many messages wait, one pass delivers a limited number of them")
    func passes() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            #expect(await Self.add(MatchRule(sender: server.name, interface: "org.example.Count"), client) == nil)
            let connection = try server.open
            try client.open.suspend()
            for _ in 0..<5000 { try connection.emit("Tick", of: "org.example.Count", from: .root) { _ in } }
            // The bus has passed on as much as the socket takes when it answers this.
            #expect(await Self.add(MatchRule(sender: client.name, interface: "org.example.Count"), server) == nil)
            var (last, most) = (0, 0)
            try client.open.resume()
            await client.wait {
                most = max(most, client.signals.count - last)
                last = client.signals.count
                return last == 5000
            }
            #expect(most == Connection.messagesPerPass)
        }
    }

    @Test("A rule that was removed delivers nothing, a wrong one is an error")
    func rules() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            let rule = MatchRule(interface: "org.example.A", argument0: "it's")
            #expect(await Self.add(rule, client) == nil)
            for argument in ["other", "it's"] {
                try server.open.emit("B", of: "org.example.A", from: .root) { (writer) throws(DBusError) in
                    try writer.append(argument)
                }
            }
            await client.wait { !client.signals.isEmpty }
            let error: DBusError? = await withCheckedContinuation { continuation in
                client.connection?.removeMatch(rule, timeout: .seconds(60)) { continuation.resume(returning: $0) }
            }
            #expect(error == nil)
            try server.open.emit("B", of: "org.example.A", from: .root) { (writer) throws(DBusError) in
                try writer.append("it's")
            }
            try server.open.emit("End", of: "org.example.A", from: .root, to: client.name)
            await client.wait { client.signals.last?.member == "End" }
            #expect(client.signals.map(\.member) == ["B", "End"])
            #expect(await Self.add(MatchRule(interface: "not an interface"), client) != nil)
        }
    }

    @Test("InterfacesAdded, InterfacesRemoved and PropertiesChanged carry what the specification says")
    func standard() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            #expect(await Self.add(MatchRule(sender: server.name), client) == nil)
            let path = try ObjectPath("/a")
            let connection = try server.open
            connection.export(
                ExportedInterface("org.example.A", properties: [.init("Level", "y", get: { .byte(1) })]), at: path)
            try connection.emitInterfacesAdded(at: path)
            try connection.emitPropertiesChanged(
                "org.example.A", at: path, changed: ["Level": .byte(2)], invalidated: ["B"])
            try connection.emitInterfacesRemoved(["org.example.A"], from: path)
            await client.wait { client.signals.count == 3 }
            let signals = client.signals
            #expect(signals.map(\.member) == ["InterfacesAdded", "PropertiesChanged", "InterfacesRemoved"])
            #expect(signals.map(\.path) == [.root, path, .root])
            #expect(signals.allSatisfy { $0.sender == server.name && $0.destination == nil })
            var bodies: [[Value]] = []
            for signal in signals {
                var reader = signal.reader
                bodies.append(try reader.readRemainingValues())
            }
            let added = Value.dictionary(
                key: "s", value: "a{sv}", [.string("org.example.A"): .properties(["Level": .byte(1)])])
            #expect(bodies[0] == [.objectPath(path), added])
            #expect(bodies[1] == [.string("org.example.A"), .properties(["Level": .byte(2)]), .strings(["B"])])
            #expect(bodies[2] == [.objectPath(path), .strings(["org.example.A"])])
        }
    }

    @Test("A connection may be closed inside its signal handler")
    func closeInside() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            let connection = try client.open
            var count = 0
            connection.signalHandler = { [weak connection] message in
                guard message.sender == server.name else { return }
                count += 1
                connection?.close()
            }
            for _ in 0..<100 { try server.open.emit("A", of: "a.b", from: .root, to: client.name) }
            await client.wait { count > 0 }
            await client.wait { !connection.isOpen }
            #expect(count == 1)
            #expect(client.lost == nil)
        }
    }

    @Test("Names are requested, refused to a second owner, and their owner is returned")
    func names() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let server = try await TestPeer(bus.address)
            let client = try await TestPeer(bus.address)
            #expect(await Self.owner("org.example.Name", client) == .success(nil))
            #expect(await Self.request("org.example.Name", server) == nil)
            #expect(await Self.request("org.example.Name", server) == nil)
            #expect(await Self.request("org.example.Name", client)?.message == "The bus name org.example.Name is taken")
            #expect(await Self.request("no name", client) != nil)
            #expect(await Self.owner("org.example.Name", client) == .success(server.name))
        }
    }

    @TestActor private static func request(_ name: String, _ peer: TestPeer) async -> DBusError? {
        await withCheckedContinuation { continuation in
            peer.connection?.requestName(name, timeout: .seconds(60)) { continuation.resume(returning: $0) }
        }
    }

    @TestActor private static func owner(_ name: String, _ peer: TestPeer) async -> Result<String?, DBusError> {
        await withCheckedContinuation { continuation in
            peer.connection?.getNameOwner(name, timeout: .seconds(60)) { continuation.resume(returning: $0) }
        }
    }

    @Test("File descriptors pass in a call and in its answer, as duplicates")
    func descriptors() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho(["hs"])
            #expect(try client.open.canPassFileDescriptors)
            let pipe = try Pipe()
            let writeEnd = fcntl(pipe.writeEnd, F_DUPFD_CLOEXEC, 0)
            pipe.closeWriteEnd()
            var values: [Value] = [.fileDescriptor(UnixFileDescriptor(owning: writeEnd)), .string("a")]
            let answer = try await client.call(server.name, "/echo", TestPeer.echo, "Echo", values)
            guard case .fileDescriptor(let returned) = answer.first else { return #expect(Bool(false), "\(answer)") }
            #expect(returned.rawValue != writeEnd)
            #expect(fcntl(returned.rawValue, F_GETFD) & FD_CLOEXEC != 0)
            values.removeAll()
            #expect(unsafe write(returned.rawValue, "x", 1) == 1)
            var byte: UInt8 = 0
            #expect(unsafe read(pipe.readEnd, &byte, 1) == 1)
            #expect(byte == UInt8(ascii: "x"))
        }
    }

    @Test("A descriptor that is sent before Hello was answered is an error")
    func earlyDescriptor() async throws {
        try await TestActor.run {
            let socket = try ListeningSocket()
            let owner = BareOwner()
            try owner.connect("unix:path=\(socket.path)")
            let message = try Message.signal(path: .root, interface: "a.b", member: "C")
            let descriptor = UnixFileDescriptor(owning: fcntl(0, F_DUPFD_CLOEXEC, 0))
            try message.write { (writer) throws(DBusError) in try writer.append(descriptor) }
            let error = #expect(throws: DBusError.self) { try owner.connection?.send(message) }
            #expect(error?.name == DBusError.Name.invalidArguments)
            owner.connection?.close()
        }
    }
}
