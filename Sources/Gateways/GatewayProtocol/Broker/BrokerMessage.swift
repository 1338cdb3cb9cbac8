/// An MQTT 5 application message.
public struct BrokerMessage: Hashable, Sendable {
    /// The reliability of delivery. Quality of service 2 is not used, because requests carry identifiers instead.
    public enum Quality: Int, Hashable, Sendable {
        /// Quality of service 0: delivered once or not at all.
        case atMostOnce = 0
        /// Quality of service 1: delivered once or more often, while the connection lasts.
        case atLeastOnce = 1
    }

    /// The name of the topic to which the message is published.
    public var topic: String
    /// The content of the message, in bytes.
    public var payload: [UInt8]
    /// The reliability of delivery; at most once by default.
    public var quality: Quality
    /// For a published message, whether the broker keeps it for later subscribers. For a received one, whether it was
    /// published before the subscription.
    public var isRetained: Bool
    /// The topic for the response, if the message is a request.
    public var responseTopic: String?
    /// The correlation data, which relate a response to its request.
    public var correlation: [UInt8]?
    /// The message expiry interval in seconds. In a received message, it is the remaining time that the broker reports.
    /// Nil means that the message does not expire.
    public var expiry: UInt32?

    /// Creates a message.
    public init(
        topic: String, payload: [UInt8], quality: Quality = .atMostOnce, isRetained: Bool = false,
        responseTopic: String? = nil, correlation: [UInt8]? = nil, expiry: UInt32? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
        self.responseTopic = responseTopic
        self.correlation = correlation
        self.expiry = expiry
    }

    /// The size in memory, in bytes: topics, correlation data and content.
    package var size: Int {
        topic.utf8.count + payload.count + (responseTopic?.utf8.count ?? 0) + (correlation?.count ?? 0)
    }
}
