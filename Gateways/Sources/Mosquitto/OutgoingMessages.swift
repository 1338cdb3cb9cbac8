import GatewayProtocol

/// The messages that the library has and that are not sent (quality of service 0) or acknowledged (1).
///
/// The library's thread may see a message acknowledged, its connection lost, or all messages released, before `publish` has
/// returned the message's identifier. Answers that come too early are kept, and `begin` remembers where it stood.
struct OutgoingMessages {
    /// What a report about a message needs.
    struct Entry: Hashable {
        var topic: String
        /// Nil after a loss of the connection: the broker may have taken the message before.
        var correlation: [UInt8]?
        fileprivate var quality: BrokerMessage.Quality
        fileprivate var size: Int
        fileprivate var isLast = false

        init(_ message: BrokerMessage) {
            topic = message.topic
            correlation = message.correlation
            quality = message.quality
            size = message.payload.count
        }
    }

    /// A message that was not published, and why.
    struct Refusal {
        var entry: Entry
        var error: BrokerError
    }

    /// What had happened to the messages when one was handed to the library.
    struct Start {
        fileprivate var losses: Int
        fileprivate var releases: Int
        fileprivate var isLast: Bool
    }

    private var waiting: [CInt: Entry] = [:]
    private var early: [CInt: CInt] = [:]
    private var starting = 0
    private var losses = 0
    private var releases = 0
    /// Why the messages were last released.
    private var releaseError = BrokerError(.other, "The message was given up")
    /// Whether there is a last message of all, and the broker has not taken it.
    private(set) var lacksLast = false
    /// How many bytes their contents have.
    private(set) var bytes = 0

    /// How many there are.
    var count: Int { waiting.count + starting }

    /// A last message of all is to come: from now on the broker lacks it.
    mutating func announceLast() { lacksLast = true }

    /// A message is handed to the library.
    mutating func begin(_ message: BrokerMessage, isLast: Bool = false) -> Start {
        starting += 1
        bytes += message.payload.count
        return Start(losses: losses, releases: releases, isLast: isLast)
    }

    /// The library has not taken it.
    mutating func abandon(_ message: BrokerMessage) {
        bytes -= message.payload.count
        ended()
    }

    /// The library has taken it.
    ///
    /// - Returns: the message and the error, if the broker has already answered with one, or if the messages were released.
    mutating func queued(_ identifier: CInt, _ message: BrokerMessage, since start: Start) -> Refusal? {
        defer { ended() }
        var entry = Entry(message)
        entry.isLast = start.isLast
        if start.losses != losses { entry.correlation = nil }
        guard start.releases == releases else {
            bytes -= entry.size
            return Refusal(entry: entry, error: releaseError)
        }
        if let reason = early.removeValue(forKey: identifier).map({ ReasonCode($0) }) {
            ended(entry, reason)
            return reason.isError ? Refusal(entry: entry, error: reason.publishing) : nil
        }
        if start.losses != losses, entry.quality == .atMostOnce {
            bytes -= entry.size
        } else {
            waiting[identifier] = entry
        }
        return nil
    }

    /// It is sent or acknowledged.
    ///
    /// - Returns: the message, or nil if `queued` has yet to come.
    mutating func finished(_ identifier: CInt, _ reason: CInt) -> Entry? {
        if let entry = waiting.removeValue(forKey: identifier) {
            ended(entry, ReasonCode(reason))
            return entry
        }
        if starting > 0 { early[identifier] = reason }
        return nil
    }

    /// The library discards what has quality of service 0; the rest it sends again after the next connect.
    mutating func connectionLost() {
        losses += 1
        for (identifier, entry) in waiting {
            if entry.quality == .atLeastOnce {
                waiting[identifier]?.correlation = nil
            } else {
                waiting[identifier] = nil
                bytes -= entry.size
            }
        }
    }

    /// The library is released with all messages; those that are just handed to it get the error from `queued`.
    ///
    /// - Returns: the messages.
    mutating func removeAll(because error: BrokerError) -> [Entry] {
        releases += 1
        releaseError = error
        early.removeAll()
        defer {
            bytes -= waiting.values.reduce(0) { $0 + $1.size }
            waiting.removeAll()
        }
        return waiting.sorted { $0.key < $1.key }.map(\.value)
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
