import GatewayProtocol

/// The messages that the library has and that are not sent (quality of service 0) or acknowledged (1).
///
/// A message may be acknowledged before `publish` has returned its identifier: identifiers that come too early are kept.
struct OutgoingMessages {
    /// What a report about a message needs.
    struct Entry: Hashable {
        var topic: String
        /// Nil after a loss of the connection: the broker may have taken the message before.
        var correlation: [UInt8]?
        fileprivate var quality: BrokerMessage.Quality
        fileprivate var size: Int

        fileprivate init(_ message: BrokerMessage) {
            topic = message.topic
            correlation = message.correlation
            quality = message.quality
            size = message.payload.count
        }
    }

    private var waiting: [CInt: Entry] = [:]
    private var early: [CInt: CInt] = [:]
    private var starting = 0
    /// How many bytes their contents have.
    private(set) var bytes = 0

    /// How many there are.
    var count: Int { waiting.count + starting }

    /// A message is handed to the library.
    mutating func begin(_ message: BrokerMessage) {
        starting += 1
        bytes += message.payload.count
    }

    /// The library has refused it.
    mutating func abandon(_ message: BrokerMessage) {
        bytes -= message.payload.count
        ended()
    }

    /// The library has taken it.
    ///
    /// - Returns: the broker's error, if it has already answered with one.
    mutating func queued(_ identifier: CInt, _ message: BrokerMessage) -> BrokerError? {
        let reason = early.removeValue(forKey: identifier).map { ReasonCode($0) }
        if reason == nil { waiting[identifier] = Entry(message) } else { bytes -= message.payload.count }
        ended()
        return reason.flatMap { $0.isError ? $0.publishing : nil }
    }

    /// It is sent or acknowledged.
    ///
    /// - Returns: the message, or nil if `queued` has yet to come.
    mutating func finished(_ identifier: CInt, _ reason: CInt) -> Entry? {
        if let entry = waiting.removeValue(forKey: identifier) {
            bytes -= entry.size
            return entry
        }
        if starting > 0 { early[identifier] = reason }
        return nil
    }

    /// The library discards what has quality of service 0; the rest it sends again after the next connect.
    mutating func connectionLost() {
        for (identifier, entry) in waiting {
            if entry.quality == .atLeastOnce {
                waiting[identifier]?.correlation = nil
            } else {
                waiting[identifier] = nil
                bytes -= entry.size
            }
        }
    }

    /// The library is released with all messages.
    ///
    /// - Returns: the messages.
    mutating func removeAll() -> [Entry] {
        defer {
            bytes -= waiting.values.reduce(0) { $0 + $1.size }
            waiting.removeAll()
        }
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }

    private mutating func ended() {
        starting -= 1
        if starting == 0 { early.removeAll() }
    }
}
