import GatewayProtocol

/// The messages that the library has and that are not sent (quality of service 0) or acknowledged (1).
///
/// A message may be acknowledged before `publish` has returned its identifier: identifiers that come too early are kept.
struct OutgoingMessages {
    private var waiting: [CInt: (topic: String, quality: BrokerMessage.Quality)] = [:]
    private var early: [CInt: CInt] = [:]
    private var starting = 0

    /// How many there are.
    var count: Int { waiting.count + starting }

    /// A message is handed to the library.
    mutating func begin() { starting += 1 }

    /// The library has refused it.
    mutating func abandon() { ended() }

    /// The library has taken it.
    ///
    /// - Returns: the broker's error, if it has already answered with one.
    mutating func queued(_ identifier: CInt, _ topic: String, _ quality: BrokerMessage.Quality) -> BrokerError? {
        let reason = early.removeValue(forKey: identifier).map { ReasonCode($0) }
        if reason == nil { waiting[identifier] = (topic, quality) }
        ended()
        return reason.flatMap { $0.isError ? $0.error : nil }
    }

    /// It is sent or acknowledged.
    ///
    /// - Returns: its topic, or nil if `queued` has yet to come.
    mutating func finished(_ identifier: CInt, _ reason: CInt) -> String? {
        if let message = waiting.removeValue(forKey: identifier) { return message.topic }
        if starting > 0 { early[identifier] = reason }
        return nil
    }

    /// The library discards what has quality of service 0; the rest it sends again after the next connect.
    mutating func connectionLost() {
        waiting = waiting.filter { $0.value.quality == .atLeastOnce }
    }

    private mutating func ended() {
        starting -= 1
        if starting == 0 { early.removeAll() }
    }
}
