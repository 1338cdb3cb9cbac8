import GatewayProtocol
import TestSupport
import Testing

@testable import Mosquitto

/// What the library's thread reports before `publish` knows a message's identifier, and after.
struct OutgoingMessagesTests {
    private let loss = BrokerError(.other, "The broker ended the connection")
    private let quotaExceeded: CInt = 0x97
    private var messages = OutgoingMessages()

    private func message(_ quality: BrokerMessage.Quality = .atLeastOnce) -> BrokerMessage {
        BrokerMessage(topic: "a", payload: [1, 2, 3], quality: quality, correlation: [9])
    }

    @Test("An answer before the identifier counts: an error is reported, a success is not", arguments: [0x97, 0])
    mutating func early(reason: CInt) {
        let start = messages.begin(message())
        #expect(messages.finished(5, reason) == nil)
        let refusal = messages.queued(5, message(), since: start)
        #expect(refusal?.error.code == (reason == 0 ? nil : .quotaExceeded))
        #expect(refusal?.entry.correlation == (reason == 0 ? nil : [9]))
        #expect(messages.count == 0)
        #expect(messages.bytes == 0)
    }

    @Test("A message that the release of all messages overtakes is refused, and may have been sent")
    mutating func overtakenByRelease() {
        let known = messages.begin(message())
        #expect(messages.queued(1, message(), since: known) == nil)
        let start = messages.begin(message())
        messages.connectionLost()
        #expect(messages.removeAll(because: loss).map(\.correlation) == [nil])
        let refusal = messages.queued(2, message(), since: start)
        #expect(refusal?.error == loss)
        #expect(refusal?.entry.topic == "a")
        #expect(refusal != nil && refusal?.entry.correlation == nil)
        #expect(messages.count == 0)
        #expect(messages.bytes == 0)
    }

    @Test("A message that a loss overtakes is sent again: a later error does not say that it was not published")
    mutating func overtakenByLoss() throws {
        let start = messages.begin(message())
        messages.connectionLost()
        #expect(messages.queued(1, message(), since: start) == nil)
        #expect(messages.count == 1)
        let again = try #require(messages.beginAgain().first)
        #expect(again.message == message())
        #expect(messages.count == 1 && !messages.hasUnsent)
        #expect(messages.queued(1, again.message, since: again.start) == nil)
        let entry = messages.finished(1, quotaExceeded)
        #expect(entry != nil && entry?.correlation == nil)
        #expect(messages.count == 0)
        #expect(messages.bytes == 0)
    }

    @Test("What waits when the connection is lost is sent again in its order, without what wants no acknowledgement")
    mutating func again() {
        for number in [3, 1, 2] as [CInt] {
            var message = message(number == 1 ? .atMostOnce : .atLeastOnce)
            message.topic = "\(number)"
            let start = messages.begin(message)
            #expect(messages.queued(number, message, since: start) == nil)
        }
        messages.connectionLost()
        #expect(messages.count == 2)
        #expect(messages.bytes == 6)
        let again = messages.beginAgain()
        #expect(again.map(\.message.topic) == ["3", "2"])
        messages.connectionLost()
        for (message, start) in again { #expect(messages.queued(1, message, since: start) == nil) }
        #expect(messages.hasUnsent)
        for (message, _) in messages.beginAgain() { messages.abandon(message) }
        #expect(messages.count == 0)
        #expect(messages.bytes == 0)
    }

    @Test("A message of quality 0 that a loss overtakes is gone, and takes no place")
    mutating func overtakenByLossUnacknowledged() {
        let start = messages.begin(message(.atMostOnce))
        messages.connectionLost()
        #expect(messages.queued(1, message(.atMostOnce), since: start) == nil)
        #expect(messages.count == 0)
        #expect(messages.bytes == 0)
    }

    @Test("An answer of the library that was released does not count for the next one's identifiers")
    mutating func earlyForReleased() {
        let old = messages.begin(message())
        #expect(messages.finished(5, 0) == nil)
        _ = messages.removeAll(because: loss)
        let start = messages.begin(message())
        #expect(messages.queued(5, message(), since: start) == nil)
        #expect(messages.count == 2)
        #expect(messages.finished(5, quotaExceeded)?.correlation == [9])
        #expect(messages.queued(5, message(), since: old)?.error == loss)
        #expect(messages.count == 0)
        #expect(messages.bytes == 0)
    }

    @Test("A message that the library does not take takes no place")
    mutating func abandoned() {
        _ = messages.begin(message())
        messages.abandon(message())
        #expect(messages.count == 0)
        #expect(messages.bytes == 0)
    }

    @Test(
        "The broker lacks the last message until it has acknowledged that one, even before its identifier is known",
        arguments: [(0, true), (0, false), (0x97, true), (0x97, false)] as [(CInt, Bool)])
    mutating func last(reason: CInt, isEarly: Bool) {
        #expect(!messages.lacksLast)
        let other = messages.begin(message())
        #expect(messages.queued(1, message(), since: other) == nil)
        messages.announceLast()
        let start = messages.begin(message(), isLast: true)
        #expect(messages.finished(1, 0) != nil)
        #expect(messages.lacksLast)
        if isEarly { #expect(messages.finished(2, reason) == nil) }
        #expect((messages.queued(2, message(), since: start) != nil) == (isEarly && reason != 0))
        if !isEarly { #expect(messages.finished(2, reason) != nil) }
        #expect(messages.lacksLast == (reason != 0))
        #expect(messages.count == 0)
        #expect(messages.bytes == 0)
    }

    @Test("Without a connection the library keeps what wants an acknowledgement and sends it later: it counts as taken")
    func keptByLibrary() async throws {
        let broker = try await TestBroker()
        let receiver = try TestClient(broker.url, subscriptions: ["a"])
        try await receiver.waitUntilConnected()
        let configuration = try #require(BrokerConfiguration(url: broker.url, clientIdentifier: "sender"))
        let owner = MosquittoBroker(configuration)
        let client = try MosquittoClient(configuration, delegate: owner)
        #expect(throws: LibraryError.self) { try client.publish(message(.atMostOnce)).get() }
        #expect(try client.publish(message()).get() != 0)
        #expect(client.connect() == 0)
        try await Patience.wait(for: "the message") { client.loop(milliseconds: 10) == 0 && !receiver.messages.isEmpty }
        #expect(receiver.messages.map(\.payload) == [[1, 2, 3]])
        client.disconnect(publishingWill: false)
        await receiver.broker.stop(nil)
        withExtendedLifetime(owner) {}
    }
}
