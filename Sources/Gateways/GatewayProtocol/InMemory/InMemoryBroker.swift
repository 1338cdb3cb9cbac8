import BlueZDBus

/// An MQTT 5 broker within a process, for tests. It supports retained messages, wills, expiry, response topics,
/// correlation data, and simulated faults.
///
/// It has no thread. The calls that cause events deliver them, in order.
package final class InMemoryBroker: Sendable {
    /// The handling of a message on its way to a client.
    package enum Disposition: Hashable, Sendable {
        case deliver, drop, duplicate
        /// The message is kept until `releaseHeld`.
        case hold
    }

    typealias Delivery = (client: InMemorySession, event: BrokerEvent)

    struct Stored {
        var message: BrokerMessage
        var published: BootInstant
    }

    struct State {
        var isUp = true
        /// The clients that have started and not stopped, by name.
        var clients: [String: InMemorySession] = [:]
        var connected: Set<String> = []
        var retained: [String: Stored] = [:]
        var held: [(client: String, stored: Stored)] = []
        var refused: [String: BrokerError] = [:]
        var queue: [Delivery] = []
        var isDelivering = false
        var disposition: @Sendable (BrokerMessage, String) -> Disposition = { _, _ in .deliver }
        /// The error with which the broker refuses a client's message; nil if it accepts it.
        var refusal: @Sendable (BrokerMessage, String) -> BrokerError? = { _, _ in nil }
    }

    let state = Lock(State())
    let clock: @Sendable () -> BootInstant

    /// Creates a broker that is up.
    ///
    /// - Parameter clock: returns the time, for expiry.
    package init(clock: @escaping @Sendable () -> BootInstant = { BootInstant.now }) {
        self.clock = clock
    }

    /// Creates a client with its own identifier.
    package func client(_ name: String) -> InMemoryClient {
        InMemoryClient(name: name, broker: self)
    }

    // MARK: Faults

    /// Sets the handling of messages, by message and client name.
    package func setDisposition(_ disposition: @escaping @Sendable (BrokerMessage, String) -> Disposition) {
        state.withLock { $0.disposition = disposition }
    }

    /// Delivers held messages.
    package func releaseHeld() {
        let now = clock()
        change { state in
            let held = state.held
            state.held = []
            for (client, stored) in held { state.enqueue(stored, to: client, at: now) }
        }
    }

    /// Stops the broker. Every client loses its connection, and everything is forgotten, as after a kill without
    /// persistence.
    package func kill() {
        change { state in
            state.isUp = false
            for name in state.connected.sorted() {
                guard let client = state.clients[name] else { continue }
                state.queue.append((client, .disconnected(BrokerError(.notConnected, "The broker was killed"))))
            }
            state.connected = []
            state.held = []
            state.retained = [:]
        }
    }

    /// Starts the broker again. The clients reconnect.
    package func restart() {
        let now = clock()
        change { state in
            state.isUp = true
            for name in state.clients.keys.sorted() { state.connect(name, at: now) }
        }
    }

    /// Breaks a client's connection, so that its will is published. `reconnect` lets it connect again.
    package func cut(_ name: String) {
        let now = clock()
        change { state in
            guard let client = state.clients[name], state.connected.remove(name) != nil else { return }
            state.queue.append((client, .disconnected(BrokerError(.notConnected, "The connection was lost"))))
            client.will.map { state.publish($0, at: now) }
        }
    }

    /// Lets a client connect again.
    package func reconnect(_ name: String) {
        let now = clock()
        change { $0.connect(name, at: now) }
    }

    /// Refuses a client from now on, for example as with a wrong password.
    package func refuse(_ name: String, _ error: BrokerError) {
        state.withLock { $0.refused[name] = error }
    }

    /// Sets a closure that decides which messages the broker refuses, for example because of its quota or their size,
    /// by the name of the client.
    package func setRefusal(_ refusal: @escaping @Sendable (BrokerMessage, String) -> BrokerError?) {
        state.withLock { $0.refusal = refusal }
    }

    // MARK: State

    /// Returns the retained message of a topic.
    package func retained(_ topic: String) -> BrokerMessage? {
        state.withLock { $0.retained[topic]?.message }
    }

    /// Publishes a message as if from another client.
    package func publish(_ message: BrokerMessage) {
        let now = clock()
        change { $0.publish(message, at: now) }
    }

    // MARK: Changing

    /// Changes the state, then delivers queued events, unless another call does so.
    func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        deliver()
    }

    private func deliver() {
        while let (client, event) = nextDelivery() {
            client.handle(event)
            state.withLock { $0.isDelivering = false }
        }
    }

    private func nextDelivery() -> Delivery? {
        state.withLock { state in
            guard !state.isDelivering, !state.queue.isEmpty else { return nil }
            state.isDelivering = true
            return state.queue.removeFirst()
        }
    }
}
