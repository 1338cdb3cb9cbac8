import Glibc
import TestSupport
import Testing

@testable import BlueZDBus

@Suite struct LostBusTests {
    @Test("Closing a connection fails each pending call once, before it returns")
    func close() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho()
            let notes = Notes()
            for _ in 0..<100 {
                try client.open.call(client.message(server, "Never"), timeout: .seconds(60)) { notes.add($0) }
            }
            let connection = try client.open
            connection.close()
            connection.close()
            #expect(notes.errors == Array(repeating: DBusError.Name.disconnected, count: 100))
            #expect(!connection.isOpen)
            #expect(client.lost == nil)
        }
    }

    @Test("A closed connection has left the bus, even while a child before its exec still holds the socket")
    func closedForChildren() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let client = try await TestPeer(bus.address)
            let connection = try client.open
            let copy = fcntl(connection.watches.descriptor, F_DUPFD_CLOEXEC, 0)
            #expect(copy >= 0)
            defer { Glibc.close(copy) }
            connection.close()
            var state = pollfd(fd: copy, events: Int16(POLLIN), revents: 0)
            #expect(unsafe poll(&state, 1, 60_000) == 1)
            #expect(state.revents & Int16(POLLHUP) != 0)
        }
    }

    @Test("A closed connection refuses calls and signals")
    func refuses() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let client = try await TestPeer(bus.address)
            let connection = try client.open
            connection.close()
            let notes = Notes()
            #expect(try connection.call(client.message(client, "Never"), timeout: nil) { notes.add($0) } == nil)
            #expect(notes.count == 0)
            await client.wait { notes.count == 1 }
            #expect(notes.errors == [DBusError.Name.disconnected])
            let error = #expect(throws: DBusError.self) { try connection.emit("A", of: "a.b", from: .root) }
            #expect(error?.name == DBusError.Name.disconnected)
        }
    }

    @Test("A connection that is dropped unclosed fails what is pending")
    func dropped() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let notes = Notes()
            do {
                let connection = try Connection(to: .address(bus.address), loop: TestActor.loop)
                connection.hello(timeout: .seconds(60)) { result in
                    notes.add(.failure(result.failure ?? .timedOut("")))
                }
                try connection.callBus("GetId", timeout: nil) { notes.add($0) }
            }
            #expect(notes.errors == [DBusError.Name.disconnected, DBusError.Name.disconnected])
        }
    }

    @Test("A killed bus fails each pending call once and calls the disconnect handler once", arguments: [false, true])
    func killed(_ sendsAfterwards: Bool) async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let server = try await TestPeer(bus.address)
            let client = try await TestPeer(bus.address)
            try server.exportEcho()
            let connection = try client.open
            let notes = Notes()
            var losses: [Int] = []
            connection.disconnectHandler = { error in
                #expect(error.name == DBusError.Name.disconnected)
                losses.append(notes.count)
            }
            for _ in 0..<10 {
                try connection.call(client.message(server, "Never"), timeout: nil) { notes.add($0) }
            }
            bus.kill()
            if sendsAfterwards {
                // Without giving the loop a turn: libdbus finds the loss in sending, not in polling.
                Self.waitForEnd(of: bus)
                for _ in 0..<1000 { try connection.emit("A", of: "a.b", from: .root) }
            }
            await client.wait { !losses.isEmpty }
            #expect(notes.errors == Array(repeating: DBusError.Name.disconnected, count: 10))
            #expect(losses == [10])
            #expect(!connection.isOpen)
            connection.close()
            connection.process(.readable)
            #expect(losses == [10])
        }
    }

    private static func waitForEnd(of bus: PrivateBus) {
        let end = SuspendingClock().now.advanced(by: .seconds(30))
        while SuspendingClock().now < end,
            (try? Connection(to: .address(bus.address), loop: TestActor.loop)) != nil
        {}
    }

    @Test("A suspended connection is not called again and again once the bus has hung up, and reports it afterwards")
    func suspended() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let client = try await TestPeer(bus.address)
            try client.open.suspend()
            bus.kill()
            Self.waitForEnd(of: bus)
            let before = client.turns
            for _ in 0..<100 {
                await withCheckedContinuation { continuation in
                    _ = TestActor.loop.schedule(after: .zero) { continuation.resume() }
                }
            }
            #expect(client.turns - before < 5)
            #expect(client.lost == nil)
            try client.open.resume()
            await client.wait { client.lost != nil }
        }
    }

    @Test("Closing a lost connection inside a reply keeps the disconnect handler from running")
    func closeWhileLosing() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let client = try await TestPeer(bus.address)
            try client.exportEcho()
            let connection = try client.open
            let notes = Notes()
            for _ in 0..<2 {
                try connection.call(client.message(client, "Never"), timeout: nil) { [weak connection] result in
                    notes.add(result)
                    connection?.close()
                }
            }
            bus.kill()
            await client.wait { notes.count == 2 }
            #expect(notes.errors == Array(repeating: DBusError.Name.disconnected, count: 2))
            #expect(client.lost == nil)
        }
    }

    @Test("The unique name is known after Hello, and a second Hello is an error")
    func helloTwice() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let client = try await TestPeer(bus.address)
            let name = client.name
            #expect(name.hasPrefix(":"))
            await #expect(throws: DBusError.self) {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
                    client.connection?.hello(timeout: .seconds(60)) { continuation.resume(with: $0) }
                }
            }
            #expect(client.name == name)
        }
    }

    @Test("A call before Hello ends with the bus's error")
    func callBeforeHello() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let owner = BareOwner()
            try owner.connect(bus.address)
            let error: DBusError? = await withCheckedContinuation { continuation in
                do throws(DBusError) {
                    try owner.connection?.callBus("GetId", timeout: nil) { continuation.resume(returning: $0.failure) }
                } catch {
                    continuation.resume(returning: error)
                }
            }
            #expect(error?.name == DBusError.Name.accessDenied)
            owner.connection?.close()
        }
    }

    @Test("Hello to a socket that accepts and never answers ends at its timeout")
    func silentSocket() async throws {
        try await TestActor.run {
            let socket = try ListeningSocket()
            let owner = BareOwner()
            try owner.connect("unix:path=\(socket.path)")
            let result: Result<String, DBusError> = await withCheckedContinuation { continuation in
                owner.connection?.hello(timeout: .milliseconds(50)) { continuation.resume(returning: $0) }
            }
            #expect(result.failure?.name == DBusError.Name.timeout)
            owner.connection?.close()
        }
    }

    @Test("A socket that closes at once fails Hello")
    func closingSocket() async throws {
        try await TestActor.run {
            let socket = try ListeningSocket()
            let owner = BareOwner()
            try owner.connect("unix:path=\(socket.path)")
            socket.acceptAndClose()
            let result: Result<String, DBusError> = await withCheckedContinuation { continuation in
                owner.connection?.hello(timeout: .seconds(60)) { continuation.resume(returning: $0) }
            }
            #expect(result.failure?.name == DBusError.Name.authenticationFailed)
        }
    }

    @Test(
        "An address at which nobody listens, or that is invalid, is an error that says so",
        arguments: [
            "unix:path=/nonexistent/bus", "nonsense", "", "unix:", "unix:path=", "tcp:host", "a\u{0}b",
            "unix:path=/\(String(repeating: "a", count: 200))", "unix:path=%zz",
        ]
    )
    func wrongAddress(_ address: String) async {
        await TestActor.run {
            let error = #expect(throws: DBusError.self) {
                try Connection(to: .address(address), loop: TestActor.loop)
            }
            #expect(error?.message.isEmpty == false)
            #expect(error?.isLocal == true)
        }
    }

    @Test(
        "An address without a Unix socket is refused before anything waits",
        arguments: [
            "tcp:host=192.0.2.1,port=1", "nonce-tcp:host=192.0.2.1,port=1,noncefile=/x", "unixexec:path=/bin/cat",
            "autolaunch:", "launchd:env=A", "unix:tmpdir=/tmp", "unix:guid=00", "tcp:host=a,port=1;autolaunch:",
        ]
    )
    func unsupportedAddress(_ address: String) async {
        await TestActor.run {
            let error = #expect(throws: DBusError.self) {
                try Connection(to: .address(address), loop: TestActor.loop)
            }
            #expect(error?.name == DBusError.Name.notSupported)
            #expect(error?.message.contains("Unix sockets only") == true)
        }
    }

    @Test(
        "Of a list of addresses the Unix sockets are tried, in order",
        arguments: [
            ("unix:path=/a", "unix:path=/a"),
            ("unix:abstract=a%20b,guid=0123", "unix:abstract=a%20b,guid=0123"),
            ("tcp:host=a,port=1;unix:path=/a;autolaunch:;unix:path=/b%3bc", "unix:path=/a;unix:path=/b%3bc"),
        ])
    func unixSockets(_ address: String, _ sockets: String) throws {
        #expect(try ServerAddress.address(address).unixSockets() == sockets)
    }

    @Test("A bus is reached by the second address of a list")
    func list() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let client = try await TestPeer("tcp:host=192.0.2.1,port=1;unix:path=/nonexistent;\(bus.address)")
            #expect(client.name.hasPrefix(":"))
        }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
