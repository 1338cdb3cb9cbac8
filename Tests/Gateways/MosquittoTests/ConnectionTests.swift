import Foundation
import GatewayProtocol
import Mosquitto
import TestSupport
import Testing

@Suite(.serialized) struct ConnectionTests {
    @Test("After the broker's death it connects and subscribes again; meanwhile every message is refused")
    func restart() async throws {
        let broker = try await TestBroker()
        let client = try TestClient(broker.url, subscriptions: ["a"])
        try await client.waitUntilConnected()
        try await broker.kill()
        try await Patience.wait(for: "the loss") { !client.losses.isEmpty }
        client.publish("a", "lost")
        #expect(client.unpublished.map(\.code) == [.notConnected])
        try await broker.start()
        try await client.waitUntilConnected(times: 2)
        client.publish("a", "found")
        try await Patience.wait(for: "the message") { !client.messages.isEmpty }
        #expect(client.messages.map(\.text) == ["found"])
        await client.broker.stop(nil)
    }

    @Test("A broker that is not there yet is tried again")
    func late() async throws {
        let broker = try await TestBroker()
        try await broker.kill()
        let client = try TestClient(broker.url)
        try await Patience.wait(for: "two attempts") { client.losses.count >= 2 }
        #expect(client.losses.allSatisfy { $0.code == .unreachable })
        try await broker.start()
        try await client.waitUntilConnected()
        await client.broker.stop(nil)
    }

    @Test("A wrong password, and none, end the attempts")
    func password() async throws {
        let broker = try await TestBroker(.init(users: ["gateway": "right"]))
        let wrong = try TestClient(broker.url) {
            $0.user = "gateway"; $0.password = "wrong"
        }
        let none = try TestClient(broker.url)
        let right = try TestClient(broker.url) {
            $0.user = "gateway"; $0.password = "right"
        }
        try await right.waitUntilConnected()
        try await Patience.wait(for: "the refusals") { !wrong.refusals.isEmpty && !none.refusals.isEmpty }
        #expect([.badCredentials, .notAuthorized].contains(wrong.refusals[0].code))
        #expect([.badCredentials, .notAuthorized].contains(none.refusals[0].code))
        #expect(wrong.connections == 0)
        for client in [wrong, none, right] { await client.broker.stop(nil) }
    }

    @Test("A broker without MQTT 5 ends the attempts with a message that says so")
    func oldBroker() async throws {
        let port = try TestBroker.freePort()
        // CONNACK of MQTT 3.1.1 with the return code 1, "unacceptable protocol version".
        let program = """
            import socket
            listener = socket.create_server(("127.0.0.1", \(port)))
            while True:
                connection, _ = listener.accept()
                if connection.recv(4096):
                    connection.sendall(b"\\x20\\x02\\x00\\x01")
                connection.close()
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try TestBroker.program("python3"))
        process.arguments = ["-c", program]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        try await Patience.wait(for: "the port") { TestBroker.isOpen(port) }
        let client = try TestClient("mqtt://127.0.0.1:\(port)")
        try await Patience.wait(for: "the refusal") { !client.refusals.isEmpty }
        #expect(client.refusals[0].code == .unsupportedVersion)
        #expect(client.refusals[0].message.contains("MQTT 5"))
        await client.broker.stop(nil)
    }

    @Test("What the broker's access control forbids is reported")
    func accessControl() async throws {
        let broker = try await TestBroker(
            .init(users: ["gateway": "right"], accessControl: ["user gateway", "topic readwrite mine/#"]))
        let client = try TestClient(broker.url, subscriptions: ["mine/#"]) {
            $0.user = "gateway"; $0.password = "right"
        }
        try await client.waitUntilConnected()
        client.publish("mine/a", "allowed")
        client.publish("others/a", "forbidden")
        try await Patience.wait(for: "both answers") { !client.messages.isEmpty && !client.unpublished.isEmpty }
        #expect(client.messages.map(\.text) == ["allowed"])
        #expect(client.unpublished.map(\.code) == [.notAuthorized])
        await client.broker.stop(nil)
    }

    @Test("TLS: the right certificates connect; another authority and a missing client certificate do not")
    func tls() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "corebluez-tls-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let ours = try await Certificates(in: folder.appending(path: "ours"))
        let others = try await Certificates(in: folder.appending(path: "others"))
        let broker = try await TestBroker(.init(certificates: ours))
        let url = "mqtts://127.0.0.1:\(broker.port)"
        let right = try TestClient(url) {
            $0.authorities = ours.authority; $0.certificate = ours.client; $0.privateKey = ours.clientKey
        }
        try await right.waitUntilConnected()
        let stranger = try TestClient(url) {
            $0.authorities = others.authority; $0.certificate = ours.client; $0.privateKey = ours.clientKey
        }
        let nameless = try TestClient(url) { $0.authorities = ours.authority }
        // The system's authorities do not include ours.
        let system = try TestClient(url) {
            $0.certificate = ours.client; $0.privateKey = ours.clientKey
        }
        try await Patience.wait(for: "the failures") { [stranger, nameless, system].allSatisfy { !$0.losses.isEmpty } }
        #expect(stranger.losses[0].code == .tls)
        #expect(system.losses[0].code == .tls)
        #expect(stranger.connections + nameless.connections + system.connections == 0)
        for client in [right, stranger, nameless, system] { await client.broker.stop(nil) }
    }

    @Test("Stop returns soon even if the broker is frozen")
    func frozen() async throws {
        let broker = try await TestBroker()
        let client = try TestClient(broker.url)
        try await client.waitUntilConnected()
        broker.freeze()
        defer { broker.thaw() }
        let begin = ContinuousClock.now
        await client.broker.stop(BrokerMessage(topic: "last", payload: [1], quality: .atLeastOnce))
        #expect(ContinuousClock.now - begin < Patience.scaled(.seconds(10)))
    }
}
