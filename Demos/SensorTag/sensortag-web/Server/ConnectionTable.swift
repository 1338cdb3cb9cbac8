import NIOCore

/// The open connections of the page, with a limit. If a new connection exceeds the limit, another one ends: the least
/// useful, and among those the oldest. A new connection has a minimum time for its request, and then for its response.
/// While all others are within this time, or are the owner's, no connection is accepted. Half as many again may be
/// ending, so that those that make room can receive the end of a response.
struct ConnectionTable {
    /// The uses of a connection, the least useful first.
    enum Use: Int, Comparable {
        /// It ends when the browser has received its response; requests are dropped.
        case draining
        /// It may send another request. If the connection ends, browsers open another one automatically.
        case idle
        /// It has not sent its first request yet.
        case new
        /// It receives a response.
        case visitor
        /// It receives a response, and has the secret: it does not end for other connections.
        case owner

        static func < (one: Use, other: Use) -> Bool { one.rawValue < other.rawValue }
    }

    /// The consequences of a new connection.
    struct Admission {
        var isAdmitted = true
        /// The connections that must end for it.
        var ending: [PageConnection] = []
        /// How long to wait before accepting more connections.
        var pause: TimeAmount?
    }

    /// The minimum time that a connection has for its first request, and for a response.
    static let grace = TimeAmount.milliseconds(500)

    private var connections: [ObjectIdentifier: PageConnection] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a connection. If it exceeds the limit for a moment, no more must be accepted meanwhile.
    mutating func admit(_ connection: PageConnection) -> Admission {
        var admission = Admission()
        let now = NIODeadline.now()
        let draining = connections.values.filter { $0.use == .draining }.sorted { $0.since < $1.since }
        admission.ending = draining.dropLast(limit / 2)
        var served = connections.values.filter { $0.use > .draining }
        while served.count >= limit {
            let others = served.filter { $0.use < .owner }
            let old = others.filter { $0.use == .idle || $0.since + Self.grace <= now }
            if let least = old.min(by: { ($0.use, $0.since) < ($1.use, $1.since) }) {
                served.removeAll { $0 === least }
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

    /// Removes a connection that has ended.
    mutating func remove(_ connection: PageConnection) {
        connections[ObjectIdentifier(connection)] = nil
    }

    /// Ends all connections immediately.
    func closeAll() {
        for connection in connections.values { connection.close() }
    }
}
