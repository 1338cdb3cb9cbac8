import Foundation
import GatewayProtocol
import Mosquitto
import TestSupport
import Testing

/// Whether the broker publishes the will at the end: it has to if the last message may not have come.
@Suite(.serialized) struct StopTests {
    private let orderly = "e000"
    private let withWill = "e00104"
    private let last = BrokerMessage(topic: "last", payload: [1], quality: .atLeastOnce)
    private let will = BrokerMessage(topic: "will", payload: [2], quality: .atLeastOnce)

    @Test(
        "A last message that the broker does not acknowledge, or refuses, ends the connection with the will",
        arguments: [(nil, "e00104"), (0x97, "e00104"), (0, "e000")] as [(UInt8?, String)])
    func acknowledgement(reason: UInt8?, end: String) async throws {
        let broker = try await FrugalBroker(reason: reason)
        let client = try TestClient(broker.url, will: will)
        try await client.waitUntilConnected()
        await client.broker.stop(last)
        #expect(try await broker.ends() == [end])
    }

    @Test("Without a last message the will is discarded, even if messages wait")
    func none() async throws {
        let broker = try await FrugalBroker(reason: nil)
        let client = try TestClient(broker.url, will: will)
        try await client.waitUntilConnected()
        client.publish("a", "x")
        await client.broker.stop(nil)
        #expect(try await broker.ends() == [orderly])
    }

    @Test("A last message that has to wait for others: the will says what it would have said")
    func behindOthers() async throws {
        let broker = try await FrugalBroker(reason: nil)
        let client = try TestClient(broker.url, will: will)
        try await client.waitUntilConnected()
        for number in 0..<20 { client.publish("a", "\(number)") }
        await client.broker.stop(last)
        #expect(try await broker.ends() == [withWill])
        #expect(broker.packets("3").count == 20)
    }

    @Test("A last message is taken even if no other is")
    func limit() async throws {
        let broker = try await FrugalBroker(reason: nil)
        let client = try TestClient(broker.url, will: will)
        try await client.waitUntilConnected()
        for number in 0...MosquittoBroker.outgoingLimit { client.publish("a", "\(number)") }
        #expect(client.unpublished.map(\.code) == [.quotaExceeded])
        await client.broker.stop(last)
        #expect(client.refusals(of: "last") == 0)
        #expect(try await broker.ends() == [withWill])
    }

    @Test("A stop before the broker has answered the subscriptions ends the connection with the will")
    func early() async throws {
        let broker = try await FrugalBroker(reason: nil)
        let client = try TestClient(broker.url, subscriptions: ["a"], will: will)
        try await Patience.wait(for: "the subscription") { !broker.packets("8").isEmpty }
        await client.broker.stop(last)
        #expect(client.unpublished.map(\.code) == [.notConnected])
        #expect(try await broker.ends() == [withWill])
    }

    @Test("Mosquitto publishes the will if it does not take the last message")
    func refused() async throws {
        let broker = try await TestBroker(.init(lines: ["message_size_limit 100"]))
        let observer = try TestClient(broker.url, subscriptions: ["will", "last"])
        let client = try TestClient(broker.url, will: will)
        try await observer.waitUntilConnected()
        try await client.waitUntilConnected()
        let large = [UInt8](repeating: 1, count: 101)
        await client.broker.stop(BrokerMessage(topic: "last", payload: large, quality: .atLeastOnce))
        try await Patience.wait(for: "the will") { !observer.messages.isEmpty }
        #expect(observer.messages == [will])
        await observer.broker.stop(nil)
    }
}
