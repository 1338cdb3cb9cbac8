import BlueZDBus

/// A client of an `InMemoryBroker`.
package final class InMemoryClient: Broker {
    package var place: String { "the broker in memory" }
    /// The client identifier.
    package let name: String
    private let broker: InMemoryBroker
    private let session = InMemorySession()

    init(name: String, broker: InMemoryBroker) {
        self.name = name
        self.broker = broker
    }

    package func start(
        will: BrokerMessage?, subscriptions: [BrokerSubscription], handler: @escaping @Sendable (BrokerEvent) -> Void
    ) throws(BrokerError) {
        guard session.start(will: will, subscriptions: subscriptions, handler: handler) else {
            throw BrokerError(.configuration, "The client has been started already")
        }
        let now = broker.clock()
        broker.change { state in
            if let other = state.clients[name], state.connected.remove(name) != nil {
                let error = BrokerError(.takenOver, "Another client has the identifier \(name)")
                state.queue.append((other, .disconnected(error)))
                other.will.map { state.publish($0, at: now) }
            }
            state.clients[name] = session
            if state.isUp {
                state.connect(name, at: now)
            } else {
                state.queue.append((session, .disconnected(BrokerError(.unreachable, "The broker is not up"))))
            }
        }
    }

    package func publish(_ message: BrokerMessage) {
        let now = broker.clock()
        broker.change { state in
            let isConnected = state.clients[name] === session && state.connected.contains(name)
            let error =
                isConnected
                ? state.refusal(message, name) : BrokerError(.notConnected, "There is no connection")
            guard let error else { return state.publish(message, at: now) }
            let refused = BrokerEvent.publishRefused(
                topic: message.topic, correlation: message.correlation, error)
            state.queue.append((session, refused))
        }
    }

    package func stop(_ last: BrokerMessage?) async {
        leave(publishing: last)
    }

    /// Ends the client as if its process were killed. Its will is published, and it gets no more events.
    package func vanish() {
        leave(publishing: session.will)
    }

    private func leave(publishing message: BrokerMessage?) {
        let now = broker.clock()
        broker.change { state in
            guard state.clients[name] === session else { return }
            state.clients[name] = nil
            if state.connected.remove(name) != nil, let message { state.publish(message, at: now) }
        }
        session.end()
    }
}

/// What the broker has of a client that has started. It does not keep the broker.
final class InMemorySession: Sendable {
    private struct State {
        var will: BrokerMessage?
        var subscriptions: [(filter: TopicLevels, quality: BrokerMessage.Quality)] = []
        var handler: (@Sendable (BrokerEvent) -> Void)?
        var isStarted = false
    }

    private let state = Lock(State())

    /// Returns whether it is the first start.
    func start(
        will: BrokerMessage?, subscriptions: [BrokerSubscription], handler: @escaping @Sendable (BrokerEvent) -> Void
    ) -> Bool {
        state.withLock { state in
            let subscriptions = subscriptions.map { (filter: TopicLevels($0.filter), quality: $0.quality) }
            defer { state = State(will: will, subscriptions: subscriptions, handler: handler, isStarted: true) }
            return !state.isStarted
        }
    }

    /// Ends the events.
    func end() { state.withLock { $0.handler = nil } }

    var will: BrokerMessage? { state.withLock { $0.will } }

    func handle(_ event: BrokerEvent) {
        state.withLock { $0.handler }?(event)
    }

    /// Returns the lower of a message's and the subscription's quality, or nil without a subscription to the topic.
    func quality(of message: BrokerMessage.Quality, for topic: TopicLevels) -> BrokerMessage.Quality? {
        let qualities = state.withLock { $0.subscriptions.filter { $0.filter.match(topic) }.map(\.quality) }
        return qualities.contains(.atLeastOnce) ? message : qualities.first
    }
}

/// The levels of a topic or of a topic filter.
package struct TopicLevels {
    private let levels: [Substring]

    package init(_ text: String) { levels = text.split(separator: "/", omittingEmptySubsequences: false) }

    /// Whether a topic matches this filter (MQTT 5, 4.7.1).
    package func match(_ topic: TopicLevels) -> Bool {
        var rest = topic.levels[...]
        for level in levels {
            if level == "#" { return true }
            guard let first = rest.popFirst(), level == "+" || level == first else { return false }
        }
        return rest.isEmpty
    }
}
