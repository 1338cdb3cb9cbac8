import Foundation
import GatewayProtocol
import Mosquitto
import TestSupport
import Testing

@Suite(.serialized) struct MessageTests {
    @Test("A message arrives with its response topic, correlation data and the rest of its expiry")
    func properties() async throws {
        let broker = try await TestBroker()
        let receiver = try TestClient(broker.url, subscriptions: ["a/+"])
        let sender = try TestClient(broker.url)
        try await receiver.waitUntilConnected()
        try await sender.waitUntilConnected()
        let message = BrokerMessage(
            topic: "a/b", payload: [0, 1, 255], quality: .atLeastOnce, responseTopic: "answers",
            correlation: [7, 0, 9],
            expiry: 60)
        sender.broker.publish(message)
        sender.broker.publish(BrokerMessage(topic: "a/c", payload: []))
        try await Patience.wait(for: "both") { receiver.messages.count == 2 }
        #expect(receiver.messages[0] == message)
        #expect(receiver.messages[1] == BrokerMessage(topic: "a/c", payload: []))
        await receiver.broker.stop(nil)
        await sender.broker.stop(nil)
    }

    @Test("A retained message says so to those who subscribe later")
    func retained() async throws {
        let broker = try await TestBroker()
        try await broker.publish("status", ["-m", "online", "-r", "-q", "1"])
        let client = try TestClient(broker.url, subscriptions: ["status"])
        try await Patience.wait(for: "the retained message") { !client.messages.isEmpty }
        try await broker.publish("status", ["-m", "changed", "-r", "-q", "1"])
        try await Patience.wait(for: "the new message") { client.messages.count == 2 }
        #expect(client.messages.map(\.text) == ["online", "changed"])
        #expect(client.messages.map(\.isRetained) == [true, false])
        await client.broker.stop(nil)
    }

    @Test("The broker publishes the last will if the connection is lost, and not after stop")
    func will() async throws {
        let broker = try await TestBroker()
        let observer = try TestClient(broker.url, subscriptions: ["wills/#", "last"])
        try await observer.waitUntilConnected()
        let will = { (name: String) in
            BrokerMessage(topic: "wills/\(name)", payload: [1], quality: .atLeastOnce)
        }
        let proxy = try await Proxy(to: broker.port)
        let cut = try TestClient(proxy.url, will: will("cut"))
        try await cut.waitUntilConnected()
        let orderly = try TestClient(broker.url, will: will("orderly"))
        try await orderly.waitUntilConnected()
        await orderly.broker.stop(BrokerMessage(topic: "last", payload: [2], quality: .atLeastOnce))
        proxy.end()
        try await Patience.wait(for: "the will") { observer.messages.count == 2 }
        #expect(observer.messages.map(\.topic) == ["last", "wills/cut"])
        await observer.broker.stop(nil)
        await cut.broker.stop(nil)
    }

    @Test("A message of 10 MB does not arrive and does not disturb the connection")
    func huge() async throws {
        let broker = try await TestBroker()
        let client = try TestClient(broker.url, subscriptions: ["a"])
        try await client.waitUntilConnected()
        let file = broker.folder.appending(path: "huge")
        try Data(count: 10_000_000).write(to: file)
        try await broker.publish("a", ["-f", file.path, "-q", "1"])
        try await broker.publish("a", ["-m", "small", "-q", "1"])
        try await Patience.wait(for: "the small message") { !client.messages.isEmpty }
        #expect(client.messages.map(\.text) == ["small"])
        #expect(client.losses.isEmpty)
        await client.broker.stop(nil)
    }

    @Test("Each of 10,000 messages is either delivered or refused")
    func flood() async throws {
        let broker = try await TestBroker(.init(lines: ["max_queued_messages 0"]))
        let receiver = try TestClient(broker.url, subscriptions: ["a"])
        let sender = try TestClient(broker.url)
        try await receiver.waitUntilConnected()
        try await sender.waitUntilConnected()
        for number in 0..<10_000 { sender.publish("a", "\(number)") }
        try await Patience.wait(for: "all", within: .seconds(60)) {
            receiver.messages.count + sender.unpublished.count == 10_000
        }
        #expect(sender.unpublished.allSatisfy { $0.code == .quotaExceeded })
        let numbers = receiver.messages.compactMap { Int($0.text) }
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == receiver.messages.count)
        await receiver.broker.stop(nil)
        await sender.broker.stop(nil)
    }
}
