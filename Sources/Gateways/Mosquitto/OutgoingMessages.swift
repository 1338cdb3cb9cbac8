import GatewayProtocol

/// The library's messages that are not yet sent (quality of service 0) or acknowledged (1).
///
/// After a loss of the connection, messages that need an acknowledgement are published again, by another instance of
/// the library: the old one would send them without regard for the new connection's limits.
///
/// The library's thread may see a message acknowledged, its connection lost, or all messages released, before `publish`
/// has returned the message's identifier. Acknowledgements that arrive too early are kept, and `begin` remembers the
/// state at the time.
struct OutgoingMessages {
    /// The part of a message needed to report about it.
    struct Entry: Hashable {
        var topic: String
        /// Nil after a loss of the connection: the broker may have accepted the message before.
        var correlation: [UInt8]?
        /// The message to publish again after a loss; nil for quality of service 0.
        fileprivate(set) var message: BrokerMessage?
        fileprivate var size: Int
        fileprivate var number: UInt64 = 0
        fileprivate var isLast = false

        init(_ message: BrokerMessage) {
            topic = message.topic
            correlation = message.correlation
            self.message = message.quality == .atLeastOnce ? message : nil
            size = message.payload.count
        }
    }

    /// A message that was not published, and why.
    struct Refusal {
        var entry: Entry
        var error: BrokerError
    }

    /// The state of the messages when one was passed to the library.
    struct Start {
        fileprivate var losses: Int
        fileprivate var releases: Int
        fileprivate var number: UInt64
        fileprivate var isLast: Bool
        /// Whether the broker may have got it over an earlier connection.
        fileprivate var isAgain = false

        /// The part of the message needed to report about it.
        func entry(_ message: BrokerMessage) -> Entry {
            var entry = Entry(message)
            entry.number = number
            entry.isLast = isLast
            if isAgain { entry.correlation = nil }
            return entry
        }
    }

    private var waiting: [CInt: Entry] = [:]
    /// The messages of the library instance whose connection was lost, in order.
    private var unsent: [Entry] = []
    private var lastNumber: UInt64 = 0
    private var early: [CInt: CInt] = [:]
    private var starting = 0
    private var losses = 0
    private var releases = 0
    /// Why the messages were last released.
    private var releaseError = BrokerError(.other, "The message was given up")
    /// Whether the last message of all is still to be accepted by the broker.
    private(set) var lacksLast = false
    /// How many bytes their contents have.
    private(set) var bytes = 0

    /// How many there are.
    var count: Int { waiting.count + unsent.count + starting }

    /// The last message of all will follow: from now on the broker lacks it.
    mutating func announceLast() { lacksLast = true }

    /// A message is passed to the library.
    mutating func begin(_ message: BrokerMessage, isLast: Bool = false) -> Start {
        starting += 1
        bytes += message.payload.count
        lastNumber += 1
        return Start(losses: losses, releases: releases, number: lastNumber, isLast: isLast)
    }

    /// The library has not accepted it.
    mutating func abandon(_ message: BrokerMessage) {
        bytes -= message.payload.count
        ended()
    }

    /// The library has accepted it.
    ///
    /// - Returns: the message and the error, if the broker has already refused it, or if the messages were released.
    mutating func queued(_ identifier: CInt, _ message: BrokerMessage, since start: Start) -> Refusal? {
        defer { ended() }
        var entry = start.entry(message)
        if start.losses != losses { entry.correlation = nil }
        guard start.releases == releases else {
            bytes -= entry.size
            return Refusal(entry: entry, error: releaseError)
        }
        guard start.losses == losses else {
            keep(entry)
            return nil
        }
        if let reason = early.removeValue(forKey: identifier).map({ ReasonCode($0) }) {
            ended(entry, reason)
            return reason.isError ? Refusal(entry: entry, error: reason.publishing) : nil
        }
        waiting[identifier] = entry
        return nil
    }

    /// Whether there are messages to publish again.
    var hasUnsent: Bool { !unsent.isEmpty }

    /// The messages to publish again, in order. They are passed to the library now.
    mutating func beginAgain() -> [(message: BrokerMessage, start: Start)] {
        defer { unsent.removeAll() }
        starting += unsent.count
        return unsent.sorted { $0.number < $1.number }.compactMap { entry in
            entry.message.map { message in
                let start = Start(
                    losses: losses, releases: releases, number: entry.number, isLast: entry.isLast, isAgain: true)
                return (message, start)
            }
        }
    }

    /// It is sent or acknowledged.
    ///
    /// - Returns: the message, or nil if `queued` is still to be called.
    mutating func finished(_ identifier: CInt, _ reason: CInt) -> Entry? {
        if let entry = waiting.removeValue(forKey: identifier) {
            ended(entry, ReasonCode(reason))
            return entry
        }
        if starting > 0 { early[identifier] = reason }
        return nil
    }

    /// Messages with quality of service 0 are lost; the others are to be published again.
    mutating func connectionLost() {
        losses += 1
        early.removeAll()
        for entry in waiting.values { keep(entry) }
        waiting.removeAll()
    }

    private mutating func keep(_ entry: Entry) {
        var entry = entry
        entry.correlation = nil
        if entry.message == nil { bytes -= entry.size } else { unsent.append(entry) }
    }

    /// The messages are given up; those just being passed to the library get the error from `queued`.
    ///
    /// - Returns: the messages.
    mutating func removeAll(because error: BrokerError) -> [Entry] {
        releases += 1
        releaseError = error
        early.removeAll()
        let entries = (waiting.values + unsent).sorted { $0.number < $1.number }
        bytes -= entries.reduce(0) { $0 + $1.size }
        waiting.removeAll()
        unsent.removeAll()
        return entries
    }

    private mutating func ended(_ entry: Entry, _ reason: ReasonCode) {
        bytes -= entry.size
        if entry.isLast, !reason.isError { lacksLast = false }
    }

    private mutating func ended() {
        starting -= 1
        if starting == 0 { early.removeAll() }
    }
}
