/// A connection to an MQTT 5 broker, for gateways and fleets.
///
/// An implementation runs on its own thread. After a loss it reconnects automatically, 1 s to 5 s later, with a clean
/// start, and subscribes again each time. It announces 256 KiB as its maximum packet size (`GatewayLimits.packet`), a
/// session expiry of 0 and a keep-alive interval of 10 s.
public protocol Broker: AnyObject, Sendable {
    /// The broker and its location, for logs and errors, such as "the broker broker.local:8883".
    var place: String { get }

    /// Starts to connect. Call it once.
    ///
    /// The handler is called on the broker's own thread, so it must only queue events, as `BrokerMailbox` does.
    ///
    /// - Parameters:
    ///   - will: the message that the broker publishes if this connection ends without `stop`.
    ///   - subscriptions: the subscriptions to make after each connect, before the handler gets
    ///     `BrokerEvent.connected`.
    ///   - handler: called for each event, in order, until `stop` returns.
    /// - Throws: `BrokerError` if the configuration can never work, such as a certificate that cannot be read.
    func start(
        will: BrokerMessage?, subscriptions: [BrokerSubscription], handler: @escaping @Sendable (BrokerEvent) -> Void
    ) throws(BrokerError)

    /// Queues a message, and returns immediately. You can call it on any thread. `BrokerEvent.publishRefused` reports a
    /// message that cannot be queued or that the broker refuses. Without a connection, nothing is queued. The error's
    /// code is then `BrokerError.Code.notConnected`, and the message is not sent later.
    func publish(_ message: BrokerMessage)

    /// Publishes a last message, waits for it for at most 2 s, and disconnects in an orderly way. The broker publishes
    /// the will only if it has not acknowledged the last message. The handler is no longer called when this returns.
    /// Later calls do nothing.
    func stop(_ last: BrokerMessage?) async
}

/// A subscription: a topic filter and the highest quality of service for delivery.
public struct BrokerSubscription: Hashable, Sendable {
    /// The topic filter, with `+` for one level and a final `#` for all that follow.
    public var filter: String
    /// The highest quality of service of delivered messages.
    public var quality: BrokerMessage.Quality

    /// Creates a subscription.
    public init(filter: String, quality: BrokerMessage.Quality) {
        self.filter = filter
        self.quality = quality
    }
}
