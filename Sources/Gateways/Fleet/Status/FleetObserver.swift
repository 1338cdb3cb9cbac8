import BlueZDBus
import BlueZServer
import GatewayProtocol

/// An observer that reports which gateways are connected to a broker, and which devices they receive. It only reads: it
/// publishes nothing, uses no link, and needs neither a fleet nor a message bus.
///
/// ```swift
/// let observer = try await FleetObserver(prefix: "corebluez", broker: broker)
/// let report = try await observer.observe(for: .seconds(12))
/// ```
@BlueZServerActor public final class FleetObserver {
    private let broker: any Broker
    private let topics: Topics
    private var mailbox: BrokerMailbox?
    private var survey = FleetSurvey()
    private var session = BrokerSession<Void>()
    private var error: BrokerError?
    private let warnings = RateLimitedLog(log, on: BlueZServerActor.loop)
    private var hasStarted = false

    /// Creates an observer, which does not connect yet.
    ///
    /// - Parameters:
    ///   - prefix: the levels of the topics before the version.
    ///   - broker: a broker that has not been started.
    /// - Throws: `BrokerError` with the code `configuration` if the prefix cannot be used.
    public init(prefix: String, broker: any Broker) throws(BrokerError) {
        topics = try Topics(prefix: prefix)
        self.broker = broker
    }

    /// The report of what the observer has received so far.
    public var report: FleetReport { survey.report }

    /// Connects, listens, and disconnects. Call it once; later calls return the report immediately.
    ///
    /// Gateways repeat what an unchanged device advertises every 10 s, unless they are configured otherwise.
    ///
    /// - Parameters:
    ///   - duration: how long to listen after connecting to the broker, unless `end` is called.
    ///   - timeout: how long to wait for the broker.
    /// - Throws: the broker's error if it refuses the observer, refuses a subscription, or cannot be reached.
    public func observe(
        for duration: Duration, timeout: Duration = .seconds(10)
    ) async throws(BrokerError) -> FleetReport {
        guard !hasStarted else { return report }
        hasStarted = true
        let mailbox = BrokerMailbox(topics) { [weak self] in
            BlueZServerActor.schedule(after: .zero) { self?.emptyMailbox(duration) }
        }
        self.mailbox = mailbox
        try broker.start(will: nil, subscriptions: topics.subscriptionsOfObserver, handler: mailbox.put)
        let timer = BlueZServerActor.schedule(after: timeout) { [weak self] in
            guard let self, !self.session.isConnected else { return }
            self.error = self.error ?? BrokerError(.unreachable, "There is no response from \(broker.place)")
            self.end()
        }
        await withCheckedContinuation { session.atEnd(resume: $0) }
        timer.cancel()
        await broker.stop(nil)
        self.mailbox = nil
        if let error { throw error }
        return report
    }

    /// Ends the observation. `observe` returns soon.
    public func end() { session.finish(()) }

    private func emptyMailbox(_ duration: Duration) {
        guard let contents = mailbox?.take() else { return }
        warnings.warn("Messages came too fast and were dropped", count: contents.dropped)
        for entry in contents.entries { handle(entry, duration) }
    }

    private func handle(_ entry: BrokerMailbox.Entry, _ duration: Duration) {
        switch entry.event {
        case .connected:
            session.connected()
            error = nil
            BlueZServerActor.schedule(after: duration) { [weak self] in self?.end() }
        case .disconnected(let error):
            if let text = session.disconnected(error) { log.warning("\(text)") }
            self.error = error
        case .refused(let error):
            self.error = error
            end()
        case .subscriptionRefused(let filter, let error):
            self.error = BrokerError(error.code, "The broker refuses the subscription \(filter): \(error)")
            end()
        case .publishRefused: break
        case .message(let message):
            do throws(MessageError) {
                try survey.received(message, entry.kind)
            } catch {
                warnings.warn("A message was dropped: \(error)")
            }
        }
    }
}
