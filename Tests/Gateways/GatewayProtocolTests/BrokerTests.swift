import BlueZDBus
import Testing

@testable import GatewayProtocol

/// A client that keeps what it gets.
private final class Listener: Sendable {
    private let events = Lock<[BrokerEvent]>([])
    let client: InMemoryClient

    init(_ broker: InMemoryBroker, _ name: String, _ filters: [String] = [], will: BrokerMessage? = nil) throws {
        client = broker.client(name)
        let subscriptions = filters.map { BrokerSubscription(filter: $0, quality: .atLeastOnce) }
        try client.start(will: will, subscriptions: subscriptions) { [events] event in
            events.withLock { $0.append(event) }
        }
    }

    func take() -> [BrokerEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    var messages: [BrokerMessage] {
        take().compactMap { if case .message(let message) = $0 { message } else { nil } }
    }
}

@Suite("The broker in memory")
struct BrokerTests {
    private let time = Lock(BootInstant(nanoseconds: 0))
    private let broker: InMemoryBroker

    init() {
        broker = InMemoryBroker { [time] in time.withLock { $0 } }
    }

    @Test("A message reaches the clients whose filters match, with response topic and correlation data")
    func delivery() throws {
        let one = try Listener(broker, "one", ["a/+"])
        let two = try Listener(broker, "two", ["b/#"])
        #expect(one.take() == [.connected])
        var message = BrokerMessage(
            topic: "a/b", payload: [1], quality: .atLeastOnce, responseTopic: "r", correlation: [7])
        two.client.publish(message)
        #expect(one.messages == [message])
        #expect(two.messages == [])
        message.topic = "b"
        one.client.publish(message)
        #expect(two.messages == [message])
    }

    @Test("A client that has started does not keep the broker in memory")
    func release() throws {
        var broker: InMemoryBroker? = InMemoryBroker()
        weak let released = broker
        try broker?.client("one").start(will: nil, subscriptions: []) { _ in }
        #expect(released != nil)
        broker = nil
        #expect(released == nil)
    }

    @Test("A retained message is delivered to later subscribers, until an empty one removes it")
    func retained() throws {
        let one = try Listener(broker, "one")
        one.client.publish(BrokerMessage(topic: "a", payload: [1], isRetained: true))
        #expect(try Listener(broker, "two", ["a"]).messages.map(\.isRetained) == [true])
        let three = try Listener(broker, "three", ["a"])
        _ = three.take()
        one.client.publish(BrokerMessage(topic: "a", payload: [], isRetained: true))
        #expect(three.messages.map(\.isRetained) == [false])
        #expect(try Listener(broker, "four", ["a"]).take() == [.connected])
    }

    @Test("A will is published after a cut, a kill of the client or a takeover, and not after stop")
    func wills() async throws {
        let watcher = try Listener(broker, "watcher", ["will"])
        let will = BrokerMessage(topic: "will", payload: [9])
        let one = try Listener(broker, "one", will: will)
        broker.cut("one")
        #expect(watcher.messages == [will])
        broker.reconnect("one")
        let other = try Listener(broker, "one", will: will)
        #expect(watcher.messages == [will])
        other.client.vanish()
        #expect(watcher.messages == [will])
        let last = try Listener(broker, "one", will: will)
        await last.client.stop(BrokerMessage(topic: "will", payload: [8]))
        #expect(watcher.messages.map(\.payload) == [[8]])
        #expect(one.take().count == 4)
    }

    @Test("A message expires, and reports what is left of its time")
    func expiry() throws {
        let one = try Listener(broker, "one", ["a"])
        _ = one.take()
        broker.setDisposition { _, _ in .hold }
        broker.publish(BrokerMessage(topic: "a", payload: [1], expiry: 5))
        broker.publish(BrokerMessage(topic: "a", payload: [2], expiry: 2))
        time.withLock { $0 = Sample.time(3000) }
        broker.releaseHeld()
        #expect(one.messages == [BrokerMessage(topic: "a", payload: [1], expiry: 2)])
    }

    @Test("Messages are dropped and duplicated on demand")
    func faults() throws {
        let one = try Listener(broker, "one", ["a"])
        _ = one.take()
        broker.setDisposition { message, _ in message.payload == [1] ? .drop : .duplicate }
        broker.publish(BrokerMessage(topic: "a", payload: [1]))
        broker.publish(BrokerMessage(topic: "a", payload: [2]))
        #expect(one.messages.map(\.payload) == [[2], [2]])
    }

    @Test("A killed broker ends all connections and forgets; clients connect again after its restart")
    func kill() throws {
        let one = try Listener(broker, "one", ["a"])
        one.client.publish(BrokerMessage(topic: "a", payload: [1], isRetained: true))
        _ = one.take()
        broker.kill()
        one.client.publish(BrokerMessage(topic: "a", payload: [2]))
        let events = one.take()
        #expect(events.count == 2)
        guard case .disconnected? = events.first, case .publishRefused("a", nil, let error)? = events.last else {
            return #expect(Bool(false), "\(events)")
        }
        #expect(error.code == .notConnected)
        broker.restart()
        #expect(one.take() == [.connected])
    }

    @Test("A client that is refused gets that and nothing else")
    func refusal() throws {
        let error = BrokerError(.badCredentials, "The password is wrong")
        broker.refuse("one", error)
        let one = try Listener(broker, "one", ["a"])
        broker.publish(BrokerMessage(topic: "a", payload: []))
        #expect(one.take() == [.refused(error)])
    }

    @Test("A message that the broker does not take reaches nobody, and is named by its correlation data")
    func quota() throws {
        let one = try Listener(broker, "one", ["a"])
        _ = one.take()
        let error = BrokerError(.quotaExceeded, "The broker is full")
        broker.setRefusal { message, client in client == "one" && message.payload == [1] ? error : nil }
        one.client.publish(BrokerMessage(topic: "a", payload: [1], correlation: [7]))
        #expect(one.take() == [.publishRefused(topic: "a", correlation: [7], error)])
        let other = BrokerMessage(topic: "a", payload: [2])
        one.client.publish(other)
        #expect(one.messages == [other])
    }

    @Test("A message over 256 KiB reaches nobody, and one over the broker's limit is refused")
    func sizes() throws {
        let one = try Listener(broker, "one", ["a"])
        _ = one.take()
        one.client.publish(BrokerMessage(topic: "a", payload: .init(repeating: 0, count: 300 * 1024)))
        #expect(one.take() == [])
        broker.setRefusal { message, _ in message.size > 10 ? BrokerError(.tooLarge, "At most 10 bytes") : nil }
        one.client.publish(BrokerMessage(topic: "a", payload: .init(repeating: 0, count: 11)))
        guard case .publishRefused("a", nil, let error)? = one.take().first else { return #expect(Bool(false)) }
        #expect(error.code == .tooLarge)
    }
}

@Suite("The mailbox")
struct MailboxTests {
    private let wakeups = Lock(0)

    private func mailbox(messages: Int = 10, bytes: Int = 100) -> BrokerMailbox {
        let topics = (try? Topics(prefix: "corebluez"))!
        return BrokerMailbox(topics, messages: messages, bytes: bytes) { [wakeups] in wakeups.withLock { $0 += 1 } }
    }

    @Test("The first event wakes the actor, the others do not")
    func wakeup() {
        let mailbox = mailbox()
        mailbox.put(.connected)
        mailbox.put(.connected)
        #expect(wakeups.withLock { $0 } == 1)
        #expect(mailbox.take().entries.map(\.event) == [.connected, .connected])
        #expect(mailbox.take().entries == [])
        mailbox.put(.connected)
        #expect(wakeups.withLock { $0 } == 2)
    }

    @Test("What does not fit is dropped and counted, by number and by bytes")
    func limits() {
        let few = mailbox(messages: 4)
        for _ in 0..<5 { few.put(.message(BrokerMessage(topic: "t", payload: []))) }
        #expect(few.take().dropped == 3)
        #expect(few.take().dropped == 0)
        let small = mailbox(bytes: 30)
        for _ in 0..<3 { small.put(.message(BrokerMessage(topic: "0123456789", payload: [1]))) }
        let contents = small.take()
        #expect(contents.entries.count == 1)
        #expect(contents.dropped == 2)
    }

    @Test("A sender that fills its share leaves space for the others")
    func shares() {
        let mailbox = mailbox(messages: 100, bytes: 100_000)
        let put = { (name: String) in
            mailbox.put(.message(BrokerMessage(topic: "corebluez/1/gateways/\(name)/status", payload: [])))
        }
        for _ in 0..<1000 { put("flooder") }
        for number in 0..<5 { put("honest\(number)") }
        let contents = mailbox.take()
        #expect(contents.entries.count { $0.kind?.sender == GatewayName("flooder") } == 50)
        #expect(contents.entries.count == 55)
        #expect(contents.dropped == 950)
    }

    @Test("Changes of the connection are never dropped")
    func connection() {
        let mailbox = mailbox(messages: 1)
        mailbox.put(.message(BrokerMessage(topic: "t", payload: [])))
        mailbox.put(.disconnected(BrokerError(.notConnected, "lost")))
        #expect(mailbox.take().entries.count == 2)
    }
}

@Suite("The time with a broker")
struct BrokerSessionTests {
    @Test("The loss of a connection is logged each time, a failed attempt if its reason is another than the last one's")
    func log() {
        let lost = BrokerError(.notConnected, "lost")
        let refused = BrokerError(.notConnected, "connection refused")
        var session = BrokerSession<Int>()
        var said = [refused, refused, lost, refused].map { session.disconnected($0) != nil }
        #expect(said == [true, false, true, true])
        #expect(!session.isConnected)
        for _ in 0..<2 {
            session.connected()
            #expect(session.isConnected)
            said = [lost, lost, refused].map { session.disconnected($0) != nil }
            #expect(said == [true, false, true])
            #expect(!session.isConnected)
        }
    }

    @Test("The first reason to end counts, and who waits goes on once, whether it came before or after")
    func end() async {
        var session = BrokerSession<Int>()
        await withCheckedContinuation { continuation in
            session.atEnd(resume: continuation)
            session.finish(1)
            session.finish(2)
        }
        #expect(session.end == 1)
        await withCheckedContinuation { session.atEnd(resume: $0) }
    }
}
