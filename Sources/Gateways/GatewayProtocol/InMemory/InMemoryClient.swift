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
        var subscriptions: [BrokerSubscription] = []
        var handler: (@Sendable (BrokerEvent) -> Void)?
        var isStarted = false
    }

    private let state = Lock(State())

    /// Returns whether it is the first start.
    func start(
        will: BrokerMessage?, subscriptions: [BrokerSubscription], handler: @escaping @Sendable (BrokerEvent) -> Void
    ) -> Bool {
        state.withLock { state in
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

    func matches(_ topic: String) -> Bool {
        state.withLock { $0.subscriptions.contains { $0.matches(topic) } }
    }

    /// Returns the lower of the message's and the subscription's quality.
    func quality(of message: BrokerMessage) -> BrokerMessage.Quality {
        let best = state.withLock {
            $0.subscriptions.filter { $0.matches(message.topic) }.map(\.quality.rawValue).max()
        }
        return BrokerMessage.Quality(rawValue: min(message.quality.rawValue, best ?? 0)) ?? .atMostOnce
    }
}

extension BrokerSubscription {
    /// Whether a topic matches the filter (MQTT 5, 4.7.1).
    package func matches(_ topic: String) -> Bool {
        var levels = topic.split(separator: "/", omittingEmptySubsequences: false)[...]
        for level in filter.split(separator: "/", omittingEmptySubsequences: false) {
            if level == "#" { return true }
            guard let first = levels.popFirst(), level == "+" || level == first else { return false }
        }
        return levels.isEmpty
    }
}
