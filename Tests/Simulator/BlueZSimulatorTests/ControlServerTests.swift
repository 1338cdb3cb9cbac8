import BlueZDBus
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BlueZSimulator

@Suite("The control channel", .realTime) struct ControlServerTests {
    /// A client that sends lines and reads lines, and stops waiting after a minute.
    private final class LineClient {
        private let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        private var received: [UInt8] = []

        init(_ path: String) throws {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
            let result = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(result == 0)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            var sent = 0
            while sent < bytes.count {
                let count = unsafe bytes[sent...].withUnsafeBytes {
                    unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }

        /// Nil if the other end is closed or silent.
        func line() -> String? {
            while true {
                if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { received.removeFirst(end + 1) }
                    return String(decoding: received[..<end], as: UTF8.self)
                }
                var buffer = [UInt8](repeating: 0, count: 65536)
                let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return nil }
                received += buffer[..<count]
            }
        }

        func ask(_ text: String) throws -> [String: Any] {
            send(text + "\n")
            let answer = try #require(self.line())
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
        }
    }

    private static func serve(at path: String? = nil) async throws -> (SimulatedBlueZ, ControlServer) {
        try await SimulatorActor.run {
            let bluez = try await SimulatedBlueZ(SimulatedBlueZ.Configuration(timing: .instant))
            let probe = try bluez.add(ProbePeripheral.specification)
            return (bluez, try ControlServer(at: path, peers: [ControlServer.Peer("probe", probe)]))
        }
    }

    @Test(
        "What cannot be done is answered with an error and the request's identifier, and the connection stays",
        arguments: [
            ("", "<null>"), ("nonsense", "<null>"), ("[1]", "<null>"), ("{}", "<null>"), (#"{"id":1}"#, "1"),
            (#"{"id":"a","do":"dance"}"#, "a"), (#"{"id":2,"do":3}"#, "2"), (#"{"id":2.5,"do":"set"}"#, "2.5"),
            (#"{"id":3,"do":"set","peer":"nobody","char":"2a00","value":""}"#, "3"),
            (#"{"id":4,"do":"set","peer":"probe","char":"2a","value":""}"#, "4"),
            (#"{"id":5,"do":"set","peer":"probe","char":"2a00","value":"abc"}"#, "5"),
            (#"{"id":5,"do":"set","peer":"probe","char":"2a00","value":"+1"}"#, "5"),
            (#"{"id":6,"do":"fail","peer":"probe","char":"2a00","op":"read","att":256}"#, "6"),
            (#"{"id":7,"do":"delay","peer":"probe","char":"2a00","ms":-1}"#, "7"),
            (#"{"id":8,"do":"notify","peer":"probe","char":"2a00","value":"","count":-1}"#, "8"),
            (#"{"id":9,"do":"add-service","peer":"probe","service":{"uuid":"x"}}"#, "9"),
            (#"{"id":10,"do":"remove-service","peer":"probe","uuid":"abcd"}"#, "10"),
            (#"{"id":11,"do":"pairing","peer":"probe","io":"telepathy"}"#, "11"),
            (#"{"id":12,"do":"pairing","peer":"probe","io":"none","passkey":1000000}"#, "12"),
            (#"{"id":13,"do":"pairing","peer":"probe","accept":"yes"}"#, "13"),
            (#"{"id":14,"do":"enter-passkey","peer":"probe","passkey":1}"#, "14"),
            (#"{"id":15,"do":"pairing-state","peer":"nobody"}"#, "15"), ("\u{0}\u{1}", "<null>"),
        ]
    )
    func refusals(line: String, identifier: String) async throws {
        let (_, server) = try await Self.serve()
        let client = try LineClient(server.path)
        let answer = try client.ask(line)
        #expect(answer["ok"] as? Bool == false)
        #expect((answer["error"] as? String)?.isEmpty == false)
        #expect("\(answer["id"] ?? "none")" == identifier)
        #expect(try client.ask(#"{"id":99,"do":"capabilities"}"#)["ok"] as? Bool == true)
    }

    @Test("A service for which there are no handles left is refused, and the connection stays")
    func handles() async throws {
        let (bluez, server) = try await Self.serve()
        let client = try LineClient(server.path)
        let characteristics = Array(repeating: #"{"uuid":"2a56","properties":["read"]}"#, count: 1000)
        let service = #"{"uuid":"1815","characteristics":[\#(characteristics.joined(separator: ","))]}"#
        let line = #"{"id":1,"do":"add-service","peer":"probe","service":\#(service)}"#
        let last = ServiceSpecification(0x1816, handle: 62_500, characteristics: [])
        #expect(await SimulatorActor.run { bluez.peripherals[0].addService(last) } != nil)
        for isLeft in [true, false] {
            #expect(try client.ask(line)["ok"] as? Bool == isLeft)
        }
        #expect(await SimulatorActor.run { bluez.peripherals[0].services.count { $0.uuid == 0x1815 } } == 1)
        #expect(try client.ask(#"{"id":99,"do":"capabilities"}"#)["ok"] as? Bool == true)
    }

    @Test("Only this user can connect, and the socket goes with the server")
    func permissions() async throws {
        let (_, server) = try await Self.serve()
        let path = server.path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        await SimulatorActor.run { server.close() }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("Many requests at once are answered in order, on each connection")
    func order() async throws {
        let (_, server) = try await Self.serve()
        let clients = [try LineClient(server.path), try LineClient(server.path)]
        for client in clients {
            client.send((0..<500).map { #"{"id":\#($0),"do":"capabilities"}"# + "\n" }.joined())
        }
        for client in clients {
            for number in 0..<500 { #expect(client.line()?.contains(#""id":\#(number),"#) == true) }
        }
    }

    @Test("The connection beyond the limit is refused with an error, until another one ends")
    func connectionLimit() async throws {
        let (_, server) = try await Self.serve()
        var clients = try (0..<ControlServer.connectionLimit).map { _ in try LineClient(server.path) }
        for client in clients { #expect(try client.ask(#"{"do":"capabilities"}"#)["ok"] as? Bool == true) }
        let refused = try LineClient(server.path)
        #expect(refused.line()?.contains("64 connections are open") == true)
        #expect(refused.line() == nil)
        clients.removeFirst()
        try await eventually("a place") {
            try LineClient(server.path).ask(#"{"do":"capabilities"}"#)["ok"] as? Bool == true
        }
    }

    @Test("Without a descriptor for a connection, the server pauses, warns, and goes on later")
    func descriptors() async throws {
        await #expect(processExitsWith: .success) {
            let (_, server) = try await Self.serve()
            let warnings = Lock<[String]>([])
            // Only the server's thread runs out of descriptors: libdispatch's threads crash without.
            let taken = await SimulatorActor.run {
                server.acceptPause = .milliseconds(20)
                server.warningHandler = { text in warnings.withLock { $0.append(text) } }
                // unshare(CLONE_FILES): a table of descriptors of its own.
                let unshare = unsafe unsafeBitCast(dlsym(nil, "unshare"), to: (@convention(c) (CInt) -> CInt).self)
                let hasOwn = unshare(0x400) == 0
                precondition(hasOwn)
                var limit = rlimit()
                unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                limit.rlim_cur = 128
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                return Array(sequence(first: dup(0)) { _ in dup(0) }.prefix { $0 >= 0 })
            }
            let client = try LineClient(server.path)
            try await eventually("the warning") { warnings.withLock { !$0.isEmpty } }
            await SimulatorActor.run { for descriptor in taken { close(descriptor) } }
            #expect(try client.ask(#"{"do":"capabilities"}"#)["ok"] as? Bool == true)
            #expect(warnings.withLock { $0.count } == 1)
        }
    }

    @Test("A line without an end is an error and the end of the connection, and nobody else's")
    func endlessLine() async throws {
        let (_, server) = try await Self.serve()
        let other = try LineClient(server.path)
        let client = try LineClient(server.path)
        client.send(String(repeating: "x", count: 1_200_000))
        #expect(client.line()?.contains(#""ok":false"#) == true)
        #expect(client.line() == nil)
        #expect(try other.ask(#"{"id":1,"do":"capabilities"}"#)["ok"] as? Bool == true)
    }

    @Test("A path that is in use is refused, one that was left behind is taken over")
    func paths() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "control-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "socket").path
        let (_, server) = try await Self.serve(at: path)
        await #expect(throws: (any Error).self) { _ = try await Self.serve(at: path) }
        #expect(try LineClient(path).ask(#"{"id":1,"do":"reset"}"#)["ok"] as? Bool == true)
        let copy = directory.appending(path: "abandoned").path
        try FileManager.default.linkItem(atPath: path, toPath: copy)
        await SimulatorActor.run { server.close() }
        let (_, second) = try await Self.serve(at: copy)
        #expect(try LineClient(second.path).ask(#"{"id":1,"do":"reset"}"#)["ok"] as? Bool == true)
        await SimulatorActor.run { second.close() }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: (any Error).self) { _ = try await Self.serve(at: path) }
        #expect(try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) == "mine")
    }
}
