/// An event of a broker's connection.
public enum BrokerEvent: Hashable, Sendable {
    /// The connection is up, and the broker has acknowledged all subscriptions.
    case connected
    /// The connection was lost or could not be made. The implementation tries again.
    case disconnected(BrokerError)
    /// The broker refuses this client permanently: it does not speak MQTT 5, or the password is wrong. The
    /// implementation does not try again.
    case refused(BrokerError)
    /// A message for one of the subscriptions.
    case message(BrokerMessage)
    /// A message was not published, and will not be. It could not be queued, or the broker refused it, for example
    /// because of its quota. The message has this topic and this correlation data. If the message was sent twice,
    /// because the connection was lost in between, the broker may have accepted the first one. `correlation` is then
    /// nil.
    case publishRefused(topic: String, correlation: [UInt8]?, BrokerError)
    /// The broker refused a subscription. The connection stays up.
    case subscriptionRefused(filter: String, BrokerError)
}
