import DBus
import Dispatch
import Foundation
import GatewayProtocol

/// An MQTT 5 broker, reached by libmosquitto.
///
/// Looking up the host, connecting, TLS and the network all wait on one thread of its own. `publish` hands the message to the
/// library, which that thread sends.
public final class MosquittoBroker: Broker {
    /// How many messages may wait to be sent or acknowledged. More are refused.
    public static let outgoingLimit = 2_000
    /// The keep-alive interval in seconds: a broker reports a silent gateway as offline after half as much again.
    static let keepAlive: CInt = 10

    struct State {
        var client: MosquittoClient?
        var handler: (@Sendable (BrokerEvent) -> Void)?
        var subscriptions: [BrokerSubscription] = []
        /// The subscriptions that the broker has not acknowledged yet, by packet identifier.
        var unacknowledged: [CInt: BrokerSubscription] = [:]
        /// Whether the library has a connection: it goes on waiting without one.
        var isOpen = false
        /// Whether the connection is up and all subscriptions are made.
        var isReady = false
        var outgoing = OutgoingMessages()
        /// Why the broker refuses this client for good.
        var refusal: BrokerError?
        /// What the broker said as it ended the connection.
        var reason: BrokerError?
        var isStopping = false
        var finishers: [@Sendable () -> Void] = []
    }

    let state = Lock(State())
    private let configuration: BrokerConfiguration
    private let stopRequest = DispatchSemaphore(value: 0)

    /// Makes a broker that does not connect until `start`.
    public init(_ configuration: BrokerConfiguration) {
        self.configuration = configuration
    }

    /// Connects on a thread of its own. See `Broker.start`.
    public func start(
        will: BrokerMessage?, subscriptions: [BrokerSubscription], handler: @escaping @Sendable (BrokerEvent) -> Void
    ) throws(BrokerError) {
        let client = try MosquittoClient(configuration, delegate: self)
        if let will { try client.setWill(will) }
        let isFirst = state.withLock { state in
            guard state.client == nil, !state.isStopping else { return false }
            state.client = client
            state.subscriptions = subscriptions
            state.handler = handler
            return true
        }
        guard isFirst else { throw BrokerError(.configuration, "The connection was already started") }
        let thread = Thread { [self] in work(client) }
        thread.name = "mqtt"
        thread.start()
    }

    /// Hands the message to the library. See `Broker.publish`.
    public func publish(_ message: BrokerMessage) {
        let client = state.withLock { state -> MosquittoClient? in
            guard state.isReady, !state.isStopping, state.outgoing.count < Self.outgoingLimit else { return nil }
            state.outgoing.begin()
            return state.client
        }
        guard let client else { return refuse(message, notPublishable) }
        let result = client.publish(message)
        let error = state.withLock { state -> BrokerError? in
            switch result {
            case .success(let identifier): return state.outgoing.queued(identifier, message.topic, message.quality)
            case .failure(let error):
                state.outgoing.abandon()
                return error.publishing
            }
        }
        if let error { refuse(message, error) }
    }

    private var notPublishable: BrokerError {
        state.withLock { state in
            state.isReady
                ? BrokerError(.quotaExceeded, "\(Self.outgoingLimit) messages wait for the broker: it does not keep up")
                : BrokerError(.notConnected, "There is no connection to the broker")
        }
    }

    private func refuse(_ message: BrokerMessage, _ error: BrokerError) {
        report(.publishRefused(topic: message.topic, error))
    }

    /// Disconnects in order, after a last message. See `Broker.stop`.
    public func stop(_ last: BrokerMessage?) async {
        if let last { publish(last) }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let finisher = Once { continuation.resume() }
            let isOver = state.withLock { state in
                state.isStopping = true
                guard state.client != nil else { return true }
                state.finishers.append(finisher.run)
                return false
            }
            if isOver { return finisher.run() }
            stopRequest.signal()
            // A connection that the system still waits for does not keep the program.
            DispatchQueue.global().asyncAfter(deadline: .now() + 2) { finisher.run() }
        }
        state.withLock { $0.handler = nil }
    }

    /// Calls the handler, while nobody holds the lock.
    func report(_ event: BrokerEvent) {
        state.withLock(\.handler)?(event)
    }
}

extension MosquittoBroker {
    private var isStopping: Bool { state.withLock(\.isStopping) }

    /// The thread: connects, and connects again, until it is stopped or refused.
    private func work(_ client: MosquittoClient) {
        var pause = 1.0
        while !isStopping {
            let error = hold(client) { pause = 1 }
            guard !isStopping else { break }
            if let refusal = state.withLock(\.refusal) {
                report(.refused(refusal))
                break
            }
            report(.disconnected(error))
            // Many gateways lose their broker at the same moment: they do not all come back at the same moment.
            _ = stopRequest.wait(timeout: .now() + pause * Double.random(in: 0.7...1.0))
            pause = min(pause * 2, 5)
        }
        end()
    }

    /// One connection, from the attempt to its end.
    private func hold(_ client: MosquittoClient, whenReady: () -> Void) -> BrokerError {
        state.withLock { $0.isOpen = true }
        var result = client.connect()
        var systemError = errno
        var deadline: ContinuousClock.Instant?
        while result == 0 {
            result = client.turn(milliseconds: 500)
            systemError = errno
            let (isOpen, isReady, isRefused, isStopping, isIdle) = state.withLock {
                ($0.isOpen, $0.isReady, $0.refusal != nil, $0.isStopping, $0.outgoing.count == 0)
            }
            if isReady { whenReady() }
            if isRefused { client.disconnect() }
            if !isOpen || isRefused { break }
            guard isStopping, result == 0 else { continue }
            let limit = deadline ?? ContinuousClock.now + .seconds(1)
            deadline = limit
            if isIdle || ContinuousClock.now >= limit { client.disconnect() }
        }
        return lost(LibraryError(result).connection(configuration, systemError: systemError))
    }

    /// The state after the end of a connection: what was not sent is lost, what waits for an acknowledgement is sent again
    /// by the library.
    private func lost(_ error: BrokerError) -> BrokerError {
        state.withLock { state -> BrokerError in
            state.isReady = false
            state.unacknowledged.removeAll()
            state.outgoing.connectionLost()
            defer { state.reason = nil }
            return state.reason ?? error
        }
    }

    private func end() {
        let finishers = state.withLock { state in
            state.isReady = false
            state.client = nil
            defer { state.finishers.removeAll() }
            return state.finishers
        }
        for finish in finishers { finish() }
    }
}
