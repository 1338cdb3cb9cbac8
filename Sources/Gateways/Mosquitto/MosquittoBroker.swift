import BlueZDBus
import Dispatch
import GatewayProtocol
import Glibc

/// An MQTT 5 broker, reached with libmosquitto.
///
/// Looking up the host, connecting, TLS and the network all wait on one separate thread. `publish` passes the message
/// to the library, and that thread sends it.
public final class MosquittoBroker: Broker {
    /// How many messages may wait to be sent or acknowledged. More are refused.
    public static let outgoingLimit = 2_000
    /// How many bytes of their contents may wait to be sent or acknowledged.
    public static let outgoingBytes = 16 * 1024 * 1024
    /// The keep-alive interval in seconds. A broker reports a silent gateway as offline after 1.5 times this interval.
    static let keepAlive: CInt = 10

    struct State {
        var client: MosquittoClient?
        var handler: (@Sendable (BrokerEvent) -> Void)?
        var will: BrokerMessage?
        var subscriptions: [BrokerSubscription] = []
        /// The subscriptions that the broker has not acknowledged yet, by packet identifier.
        var unacknowledged: [CInt: BrokerSubscription] = [:]
        /// Whether the library has a connection: otherwise its loop would continue to wait.
        var isOpen = false
        /// Whether the connection is up and the broker has acknowledged all subscriptions.
        var isReady = false
        var outgoing = OutgoingMessages()
        /// Why the broker refuses this client permanently.
        var refusal: BrokerError?
        /// The broker's reason for ending the connection, and whether that may be due to a message.
        var end: (error: BrokerError, isDueToMessage: Bool)?
        var isStopping = false
        var finishers: [@Sendable () -> Void] = []
    }

    let state = Lock(State())
    private let configuration: BrokerConfiguration
    /// The broker with its host and port.
    public var place: String { configuration.place }
    private let stopRequest = DispatchSemaphore(value: 0)

    /// Creates a broker that does not connect until `start`.
    public init(_ configuration: BrokerConfiguration) {
        self.configuration = configuration
    }

    /// Connects on a separate thread. See `Broker.start`.
    public func start(
        will: BrokerMessage?, subscriptions: [BrokerSubscription], handler: @escaping @Sendable (BrokerEvent) -> Void
    ) throws(BrokerError) {
        let client = try makeClient(will: will)
        let isFirst = state.withLock { state in
            guard state.client == nil, !state.isStopping else { return false }
            state.client = client
            state.will = will
            state.subscriptions = subscriptions
            state.handler = handler
            return true
        }
        guard isFirst else { throw BrokerError(.configuration, "The connection was already started") }
        DispatchQueue(label: "mqtt").async { [self] in work() }
    }

    /// Passes the message to the library. See `Broker.publish`.
    public func publish(_ message: BrokerMessage) {
        publish(message, isLast: false)
    }

    /// The limits do not apply to the last message: no other follows it.
    private func publish(_ message: BrokerMessage, isLast: Bool) {
        let begun = state.withLock { state -> (client: MosquittoClient, start: OutgoingMessages.Start)? in
            guard !state.isStopping else { return nil }
            if isLast { state.outgoing.announceLast() }
            guard state.isReady, let client = state.client,
                isLast || (state.outgoing.count < Self.outgoingLimit && state.outgoing.bytes < Self.outgoingBytes)
            else { return nil }
            return (client, state.outgoing.begin(message, isLast: isLast))
        }
        guard let (client, start) = begun else { return refused(OutgoingMessages.Entry(message), notPublishable) }
        hand(message, start, to: client)
        // A loss may have overtaken it, and another connection may already be up.
        let isLate = state.withLock { $0.isReady && $0.outgoing.hasUnsent }
        if isLate { publishAgain() }
    }

    private func hand(_ message: BrokerMessage, _ start: OutgoingMessages.Start, to client: MosquittoClient) {
        let result = client.publish(message)
        let refusal = state.withLock { state -> OutgoingMessages.Refusal? in
            switch result {
            case .success(let identifier): return state.outgoing.queued(identifier, message, since: start)
            case .failure(let error):
                state.outgoing.abandon(message)
                return OutgoingMessages.Refusal(entry: start.entry(message), error: error.publishing)
            }
        }
        if let refusal { refused(refusal.entry, refusal.error) }
    }

    /// Publishes the messages without an acknowledgement when the last connection was lost.
    func publishAgain() {
        let (client, messages) = state.withLock { state in
            (state.client, state.client == nil ? [] : state.outgoing.beginAgain())
        }
        guard let client else { return }
        for (message, start) in messages { hand(message, start, to: client) }
    }

    private var notPublishable: BrokerError {
        state.withLock { state in
            state.isReady
                ? BrokerError(
                    .quotaExceeded, "\(state.outgoing.count) messages wait for the broker, which does not keep up")
                : BrokerError(.notConnected, "There is no connection to \(place)")
        }
    }

    func refused(_ message: OutgoingMessages.Entry, _ error: BrokerError) {
        report(.publishRefused(topic: message.topic, correlation: message.correlation, error))
    }

    /// Disconnects in an orderly way, after a last message. See `Broker.stop`. If the broker does not acknowledge that
    /// message in time, it publishes the will instead.
    public func stop(_ last: BrokerMessage?) async {
        if let last { publish(last, isLast: true) }
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
            // A connection attempt in progress does not delay the end of the program.
            DispatchQueue.global().asyncAfter(deadline: .now() + 2) { finisher.run() }
        }
        state.withLock { $0.handler = nil }
    }

    /// Calls the handler, without holding the lock.
    func report(_ event: BrokerEvent) {
        state.withLock(\.handler)?(event)
    }
}

extension MosquittoBroker {
    private var isStopping: Bool { state.withLock(\.isStopping) }

    /// The thread: connects, and connects again, until it is stopped or refused.
    private func work() {
        var client = state.withLock(\.client)
        var pause = 1.0
        while !isStopping {
            let begin = ContinuousClock.now
            let (error, isDueToMessage) = connection(client)
            if ContinuousClock.now - begin > .seconds(10) { pause = 1 }
            guard !isStopping else { break }
            if let refusal = state.withLock(\.refusal) {
                report(.refused(refusal))
                break
            }
            report(.disconnected(error))
            if isDueToMessage { giveUp(error) }
            client = nil
            // Many gateways lose their broker at the same time; they should not all reconnect at the same time.
            _ = stopRequest.wait(timeout: .now() + pause * Double.random(in: 0.7...1.0))
            pause = min(pause * 2, 5)
        }
        end()
    }

    /// One connection, by the given client or another one.
    ///
    /// A client sends waiting messages again as soon as it is connected, regardless of the broker's new Maximum Packet
    /// Size; in libmosquitto 2.0.11, a packet over that ends the process (log__printf without a client in
    /// lib/send_publish.c). With another client, waiting messages are checked again.
    private func connection(_ first: MosquittoClient?) -> (error: BrokerError, isDueToMessage: Bool) {
        do throws(BrokerError) {
            let client = if let first { first } else { try makeClient(will: state.withLock(\.will)) }
            state.withLock { $0.client = client }
            return hold(client)
        } catch {
            return lost(error)
        }
    }

    /// One connection, from the attempt to its end.
    ///
    /// - Returns: why it ended, and whether that may be due to a message.
    private func hold(_ client: MosquittoClient) -> (error: BrokerError, isDueToMessage: Bool) {
        state.withLock { $0.isOpen = true }
        var result = client.connect()
        var systemError = errno
        let readyDeadline = ContinuousClock.now + .seconds(30)
        var deadline: ContinuousClock.Instant?
        while result == 0 {
            result = client.loop(milliseconds: 500)
            systemError = errno
            let (isOpen, isReady, isRefused, isStopping, isIdle, lacksLast) = state.withLock {
                ($0.isOpen, $0.isReady, $0.refusal != nil, $0.isStopping, $0.outgoing.count == 0, $0.outgoing.lacksLast)
            }
            // A broker that responds to pings, but not to the subscriptions, is useless.
            let isLate = !isReady && ContinuousClock.now > readyDeadline
            if isRefused || isLate { client.disconnect(publishingWill: lacksLast) }
            if !isOpen || isRefused || isLate { break }
            guard isStopping, result == 0 else { continue }
            let limit = deadline ?? ContinuousClock.now + .seconds(1)
            deadline = limit
            if isIdle || ContinuousClock.now >= limit { client.disconnect(publishingWill: lacksLast) }
        }
        let failure = LibraryError(result)
        let isReady = state.withLock(\.isReady)
        let error = failure.connection(configuration, systemError: systemError, isReady: isReady)
        if error.code == .unsupportedVersion { state.withLock { $0.refusal = error } }
        return lost(error, isDueToMessage: isReady && failure.isDueToMessage)
    }

    /// The state after the end of a connection: unsent messages are lost, unacknowledged ones are published again.
    private func lost(
        _ error: BrokerError, isDueToMessage: Bool = false
    ) -> (error: BrokerError, isDueToMessage: Bool) {
        state.withLock { state in
            state.isReady = false
            state.unacknowledged.removeAll()
            state.outgoing.connectionLost()
            defer { state.end = nil }
            return state.end ?? (error, isDueToMessage)
        }
    }

    /// Gives up the waiting messages: if the broker ended the connection because of them, for example because it is out
    /// of memory, it would do so again.
    private func giveUp(_ error: BrokerError) {
        for message in state.withLock({ $0.outgoing.removeAll(because: error) }) { refused(message, error) }
    }

    private func makeClient(will: BrokerMessage?) throws(BrokerError) -> MosquittoClient {
        let client = try MosquittoClient(configuration, delegate: self)
        if let will { try client.setWill(will) }
        return client
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
