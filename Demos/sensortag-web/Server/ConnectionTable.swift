/// The open connections of the page, with a limit. Whoever connects is let in; if there is no room, the connection that
/// is of least use ends for it: one that has not sent its request, then one that waits for the next, then one that
/// shows or downloads something without the secret. The owner's are never ended.
struct ConnectionTable {
    /// What a connection is doing, the least useful first.
    enum Use: Int, Comparable {
        /// Its response has ended it; the rest of its request is dropped.
        case draining
        /// It has not sent its first request yet.
        case new
        /// It may send another request.
        case idle
        /// It gets a response.
        case visitor
        /// It gets a response, and has the secret.
        case owner

        static func < (one: Use, other: Use) -> Bool { one.rawValue < other.rawValue }
    }

    private var connections: [ObjectIdentifier: PageConnection] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a connection.
    ///
    /// - Returns: the connection that has to end: nil if there was room, the new one if no other may end for it.
    mutating func admit(_ connection: PageConnection) -> PageConnection? {
        var ending: PageConnection?
        if connections.count >= limit {
            ending = connections.values.min { ($0.use, $0.since) < ($1.use, $1.since) }
            guard let least = ending, least.use < .owner else { return connection }
            remove(least)
        }
        connections[ObjectIdentifier(connection)] = connection
        return ending
    }

    /// Takes a connection off that has ended.
    mutating func remove(_ connection: PageConnection) {
        connections[ObjectIdentifier(connection)] = nil
    }
}
