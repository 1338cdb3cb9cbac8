import CMosquitto
import Foundation
import GatewayProtocol
import Mosquitto
import TestSupport
import Testing

/// What Mosquitto does at each of its limits, and what the connection makes of it.
@Suite(.serialized) struct FullBrokerTests {
    private let request = BrokerMessage(topic: "a", payload: [1], quality: .atLeastOnce, correlation: [1, 2, 3])

    @Test("What does not fit into a subscriber's queue is dropped silently: only an answer confirms anything")
    func queue() async throws {
        let broker = try await TestBroker(.init(lines: ["max_queued_messages 10"]))
        let proxy = try await Proxy(to: broker.port)
        let slow = try TestClient(proxy.url, subscriptions: ["a"])
        let sender = try TestClient(broker.url, subscriptions: ["end"])
        try await slow.waitUntilConnected()
        try await sender.waitUntilConnected()
        proxy.freeze()
        for number in 0..<100 { sender.publish("a", "\(number)") }
        sender.publish("end", "")
        try await Patience.wait(for: "the end") { !sender.messages.isEmpty }
        #expect(sender.unpublished.isEmpty)
        proxy.thaw()
        try await Patience.wait(for: "a later one") {
            sender.publish("a", "after")
            return slow.messages.contains { $0.text == "after" }
        }
        // The library takes 20 at a time, as its Receive Maximum says. From 2.0.13 on, Mosquitto adds these to what may
        // wait (db__ready_for_queue in its src/database.c).
        let kept = slow.messages.compactMap { Int($0.text) }
        #expect(kept == Array(0..<kept.count))
        #expect([30, 50].contains(kept.count))
        #expect(sender.losses.isEmpty)
        #expect(slow.losses.isEmpty)
        await slow.broker.stop(nil)
        await sender.broker.stop(nil)
    }

    @Test(
        "A message over the broker's limit for contents, or for packets, is reported, and the connection stays",
        arguments: (takesEveryReason ? [("message_size_limit 100", 101)] : []) + [("max_packet_size 300", 300)])
    func size(limit: String, bytes: Int) async throws {
        let broker = try await TestBroker(.init(lines: [limit]))
        let client = try TestClient(broker.url, subscriptions: ["a"])
        try await client.waitUntilConnected()
        client.publish("a", String(repeating: "x", count: bytes))
        client.publish("a", "small")
        try await Patience.wait(for: "both answers") { !client.messages.isEmpty && !client.unpublished.isEmpty }
        #expect(client.messages.map(\.text) == ["small"])
        #expect(client.unpublished.map(\.code) == [.tooLarge])
        #expect(client.losses.isEmpty)
        await client.broker.stop(nil)
    }

    /// Whether the library passes on a refusal for a reason that MQTT 5 does not list: until 2.0.11
    /// (lib/handle_pubackcomp.c).
    private static var takesEveryReason: Bool {
        mosquitto_lib_version(nil, nil, nil) <= 2_000_011
    }

    @Test(
        "A library that does not know the broker's reason ends the connection; what it refused is not sent again",
        .enabled(if: !takesEveryReason))
    func unknownReason() async throws {
        let broker = try await TestBroker(.init(lines: ["message_size_limit 100"]))
        let client = try TestClient(broker.url, subscriptions: ["a"])
        try await client.waitUntilConnected()
        client.publish("a", String(repeating: "x", count: 101))
        try await client.waitUntilConnected(times: 2)
        client.publish("a", "small")
        try await Patience.wait(for: "the small message") { !client.messages.isEmpty }
        #expect(client.unpublished.map(\.code) == [.other])
        #expect(client.unpublished.allSatisfy { $0.message.contains("message_size_limit") })
        #expect(client.losses.count == 1)
        await client.broker.stop(nil)
    }

    @Test("A broker that is out of memory ends the connection; what it had no room for is not sent again")
    func memory() async throws {
        let broker = try await TestBroker(.init(lines: ["memory_limit 20000000"]))
        let client = try TestClient(broker.url, subscriptions: ["a"])
        try await client.waitUntilConnected()
        for number in 0..<2 {
            let text = String(repeating: "x", count: 7_000_000)
            client.broker.publish(
                BrokerMessage(
                    topic: "kept/\(number)", payload: Array(text.utf8), quality: .atLeastOnce, isRetained: true))
        }
        try await Patience.wait(for: "the loss") { !client.losses.isEmpty }
        try await client.waitUntilConnected(times: 2)
        client.publish("a", "small")
        try await Patience.wait(for: "the small message") { !client.messages.isEmpty }
        #expect(client.losses.count == 1)
        #expect(client.refusals(of: "kept/1") == 1)
        await client.broker.stop(nil)
    }

    @Test("A broker that says its quota is exceeded: the message is named, and the connection stays")
    func quota() async throws {
        let broker = try await FrugalBroker(reason: 0x97)
        let client = try TestClient(broker.url)
        try await client.waitUntilConnected()
        client.broker.publish(request)
        try await Patience.wait(for: "the answer") { !client.unpublished.isEmpty }
        #expect(client.unpublished.map(\.code) == [.quotaExceeded])
        #expect(client.happened.contains { $0.isRefusal(of: [1, 2, 3]) })
        #expect(client.losses.isEmpty)
        await client.broker.stop(nil)
    }

    @Test(
        "What waits when the broker ends the connection is sent again if the broker only shuts down",
        arguments: [("e0018b", [.quotaExceeded]), ("e00180", [.other])] as [(String, [BrokerError.Code])])
    func end(packet: String, codes: [BrokerError.Code]) async throws {
        let broker = try await FrugalBroker(reason: 0x97, firstEnd: packet)
        let client = try TestClient(broker.url)
        try await client.waitUntilConnected()
        client.publish("a", "x")
        try await client.waitUntilConnected(times: 2)
        try await Patience.wait(for: "the answer") { !client.unpublished.isEmpty }
        #expect(client.unpublished.map(\.code) == codes)
        await client.broker.stop(nil)
    }

    @Test("A message that was sent twice and then refused is not said to be unpublished: the first one may have been")
    func sentTwice() async throws {
        let broker = try await FrugalBroker(reason: 0x97, firstEnd: "")
        let client = try TestClient(broker.url)
        try await client.waitUntilConnected()
        client.broker.publish(request)
        try await Patience.wait(for: "the answer") { !client.unpublished.isEmpty }
        #expect(client.connections == 2)
        #expect(client.unpublished.map(\.code) == [.quotaExceeded])
        #expect(client.happened.contains { $0.isRefusal(of: nil) })
        await client.broker.stop(nil)
    }

    @Test(
        "What waits is sent again after a connection that the broker refuses: it cannot be due to a message",
        arguments: [0x88, 0x97, 0x9F] as [UInt8])
    func refusedConnection(reason: UInt8) async throws {
        let broker = try await FrugalBroker(reason: 0x97, firstEnd: "", connectReasons: [0, reason])
        let client = try TestClient(broker.url)
        try await client.waitUntilConnected()
        client.broker.publish(request)
        try await Patience.wait(for: "the answer") { !client.unpublished.isEmpty }
        #expect(client.connections == 2)
        #expect(client.losses.count == 2)
        #expect(client.unpublished.map(\.code) == [.quotaExceeded])
        #expect(client.unpublished.allSatisfy { $0.message.contains("151") })
        #expect(client.happened.contains { $0.isRefusal(of: nil) })
        await client.broker.stop(nil)
    }
}

extension BrokerEvent {
    fileprivate func isRefusal(of correlation: [UInt8]?) -> Bool {
        if case .publishRefused("a", correlation: correlation, _) = self { true } else { false }
    }
}
