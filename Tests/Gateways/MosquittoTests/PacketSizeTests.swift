import GatewayProtocol
import TestSupport
import Testing

@testable import Mosquitto

/// The broker's Maximum Packet Size: what is larger must not reach the library, which would keep it.
@Suite(.serialized) struct PacketSizeTests {
    private let setup = TestBroker.Setup(lines: ["max_packet_size 300"])

    private func message(
        _ size: Int, _ quality: BrokerMessage.Quality = .atLeastOnce, responseTopic: String? = nil
    ) -> BrokerMessage {
        BrokerMessage(
            topic: "a", payload: Array(repeating: 1, count: size), quality: quality, responseTopic: responseTopic)
    }

    /// A message with the topic "a", the sizes of its parts, and that of its packet.
    struct Example {
        var payload = 0
        var quality = BrokerMessage.Quality.atMostOnce
        var response: Int?
        var correlation: Int?
        var expiry: UInt32?
        let bytes: Int

        var message: BrokerMessage {
            BrokerMessage(
                topic: "a", payload: Array(repeating: 0, count: payload), quality: quality,
                responseTopic: response.map { String(repeating: "b", count: $0) },
                correlation: correlation.map { Array(repeating: 0, count: $0) }, expiry: expiry)
        }
    }

    @Test(
        "A packet's size: fixed header, topic, identifier, properties and payload, each with its length",
        arguments: [
            Example(bytes: 6),
            Example(quality: .atLeastOnce, bytes: 8),
            Example(response: 2, bytes: 11),
            Example(correlation: 3, bytes: 12),
            Example(correlation: 0, bytes: 9),
            Example(expiry: 1, bytes: 11),
            Example(response: 2, correlation: 3, expiry: 1, bytes: 22),
            // From 128 on, a length has a second byte: the packet's, and the properties'.
            Example(correlation: 120, bytes: 129),
            Example(correlation: 121, bytes: 131),
            Example(correlation: 124, bytes: 134),
            Example(correlation: 125, bytes: 136),
            Example(payload: 123, bytes: 129),
            Example(payload: 124, bytes: 131),
            Example(payload: 16_379, bytes: 16_386),
            Example(payload: 16_380, bytes: 16_388),
            Example(payload: 2_097_147, bytes: 2_097_155),
            Example(payload: 2_097_148, bytes: 2_097_157),
        ])
    func size(example: Example) {
        #expect(example.message.packetSize == example.bytes)
    }

    @Test("A packet's size counts the bytes of text, not its characters")
    func text() {
        #expect(BrokerMessage(topic: "\u{e4}", payload: [], responseTopic: "\u{20ac}").packetSize == 13)
    }

    @Test("A response topic or correlation data that MQTT has no room for is refused, instead of cut or left out")
    func properties() throws {
        let configuration = try #require(BrokerConfiguration(url: "mqtt://localhost", clientIdentifier: "sender"))
        let owner = MosquittoBroker(configuration)
        let client = try MosquittoClient(configuration, delegate: owner)
        func publish(response: Int? = nil, correlation: Int? = nil) throws {
            let message = Example(
                quality: .atLeastOnce, response: response, correlation: correlation, bytes: 0
            ).message
            _ = try client.publish(message).get()
        }
        try publish(response: 65_535, correlation: 65_535)
        #expect(throws: LibraryError.self) { try publish(response: 65_536) }
        #expect(throws: LibraryError.self) { try publish(correlation: 65_536) }
        withExtendedLifetime(owner) {}
    }

    @Test(
        "The largest packet that the broker allows arrives; one byte more is refused once, and does not wait",
        arguments: [(291, .atLeastOnce, 0), (293, .atMostOnce, 0), (157, .atLeastOnce, 130)]
            as [(Int, BrokerMessage.Quality, Int)])
    func border(size: Int, quality: BrokerMessage.Quality, response: Int) async throws {
        let broker = try await TestBroker(setup)
        let client = try TestClient(broker.url, subscriptions: ["a"])
        try await client.waitUntilConnected()
        let responseTopic = response > 0 ? String(repeating: "r", count: response) : nil
        for extra in 0...4 { client.broker.publish(message(size + extra, quality, responseTopic: responseTopic)) }
        client.publish("a", "end")
        try await Patience.wait(for: "the end") { client.messages.last?.text == "end" }
        try await Patience.wait(for: "no message to wait") { client.broker.state.withLock { $0.outgoing.count } == 0 }
        #expect(client.messages.map(\.payload.count) == [size, 3])
        #expect(client.unpublished.map(\.code) == [.tooLarge, .tooLarge, .tooLarge, .tooLarge])
        #expect(client.losses.isEmpty)
        await client.broker.stop(nil)
    }

    @Test("It is refused at once even if other messages wait", arguments: [292, 293])
    func behindOthers(size: Int) async throws {
        let broker = try await TestBroker(setup)
        let client = try TestClient(broker.url, subscriptions: ["a"])
        try await client.waitUntilConnected()
        broker.freeze()
        for _ in 0..<20 { client.publish("a", "small") }
        client.broker.publish(message(size))
        #expect(client.unpublished.map(\.code) == [.tooLarge])
        broker.thaw()
        try await Patience.wait(for: "the others") { client.messages.count >= 20 }
        client.publish("a", "end")
        try await Patience.wait(for: "the end") { client.messages.last?.text == "end" }
        try await Patience.wait(for: "no message to wait") { client.broker.state.withLock { $0.outgoing.count } == 0 }
        #expect(client.messages.count == 21)
        #expect(client.unpublished.count == 1)
        await client.broker.stop(nil)
    }

    @Test("After a reconnect it takes no place of the others")
    func reconnect() async throws {
        let broker = try await TestBroker(setup)
        let client = try TestClient(broker.url, subscriptions: ["a"])
        try await client.waitUntilConnected()
        for _ in 0..<25 { client.broker.publish(message(293)) }
        #expect(client.unpublished.count == 25)
        try await broker.kill()
        try await broker.start()
        try await client.waitUntilConnected(times: 2)
        client.publish("a", "small")
        try await Patience.wait(for: "the message") { !client.messages.isEmpty }
        #expect(client.messages.map(\.text) == ["small"])
        #expect(client.unpublished.count == 25)
        await client.broker.stop(nil)
    }

    @Test("What waits when a broker comes back with a smaller limit is refused, and what fits is published again")
    func smallerLimit() async throws {
        let broker = try await FrugalBroker(reason: 0, firstEnd: "", packetLimits: [0, 100])
        let client = try TestClient(broker.url)
        try await client.waitUntilConnected()
        // It ends the connection with the first message: both have to be on their way before.
        broker.freeze()
        client.broker.publish(message(200))
        client.broker.publish(message(10))
        broker.thaw()
        try await client.waitUntilConnected(times: 2)
        try await Patience.wait(for: "the refusal") { !client.unpublished.isEmpty }
        try await Patience.wait(for: "no message to wait") { client.broker.state.withLock { $0.outgoing.count } == 0 }
        #expect(client.unpublished.map(\.code) == [.tooLarge])
        #expect(broker.packets("3").last?.hasSuffix(String(repeating: "01", count: 10)) == true)
        await client.broker.stop(nil)
    }
}
