import NIOCore

/// The open connections of the page, with a limit. Whoever connects is let in; if there is no room, another connection
/// ends for it, the least useful first and of those the oldest. A new one has a moment for its request, and then for
/// its response: as long as all others have that, or are the owner's, nobody is let in.
struct ConnectionTable {
    /// What a connection is doing, the least useful first.
    enum Use: Int, Comparable {
        /// Its response has ended it; the rest of its request is dropped.
        case draining
        /// It may send another request. If it has ended, browsers make another connection by themselves.
        case idle
        /// It has not sent its first request yet.
        case new
        /// It gets a response.
        case visitor
        /// It gets a response, and has the secret: it is not ended for others.
        case owner

        static func < (one: Use, other: Use) -> Bool { one.rawValue < other.rawValue }
    }

    /// What follows from a new connection.
    struct Admission {
        var isAdmitted = true
        /// The connections that end for it.
        var ending: [PageConnection] = []
        /// How long to wait before taking in more.
        var pause: TimeAmount?
    }

    /// How long a connection has at least for its first request and for a response.
    static let grace = TimeAmount.milliseconds(500)

    private var connections: [ObjectIdentifier: PageConnection] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a connection. It may be one too many for a moment, in which no more must be taken in.
    mutating func admit(_ connection: PageConnection) -> Admission {
        var admission = Admission()
        let now = NIODeadline.now()
        while connections.count >= limit {
            let others = connections.values.filter { $0.use < .owner }
            let old = others.filter { $0.use < .new || $0.since + Self.grace <= now }
            if let least = old.min(by: { ($0.use, $0.since) < ($1.use, $1.since) }) {
                remove(least)
                admission.ending.append(least)
            } else {
                admission.pause = others.map { $0.since + Self.grace - now }.min()
                admission.isAdmitted = admission.pause != nil
                break
            }
        }
        if admission.isAdmitted { connections[ObjectIdentifier(connection)] = connection }
        return admission
    }

    /// Takes a connection off that has ended.
    mutating func remove(_ connection: PageConnection) {
        connections[ObjectIdentifier(connection)] = nil
    }
}
