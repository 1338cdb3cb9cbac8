import DBus

/// The requests that a gateway has admitted, by identifier, with their responses: a request that is delivered twice is
/// carried out once, and answered with the same response.
///
/// A request is remembered until its deadline has passed. A later delivery is refused because it has expired.
package struct RequestLedger: Sendable {
    package struct Key: Hashable, Sendable {
        package var client: GatewayName
        package var id: Identifier

        package init(client: GatewayName, id: Identifier) {
            self.client = client
            self.id = id
        }
    }

    /// What becomes of a request.
    package enum Admission: Hashable, Sendable {
        /// It is new: carry it out, then call `complete`.
        case new
        /// It has been answered with this response.
        case answered([UInt8])
        /// It is being carried out: its response will come.
        case underWay
        /// Its deadline has passed.
        case expired
        /// There is no room.
        case full
    }

    private struct Entry {
        var notAfter: BootInstant
        var response: [UInt8]?
    }

    private var entries: [Key: Entry] = [:]
    private var bytes = 0
    private let limit: Int
    private let byteLimit: Int

    package init(limit: Int = GatewayLimits.identifiers, bytes: Int = 16 * 1024 * 1024) {
        self.limit = limit
        byteLimit = bytes
    }

    package var count: Int { entries.count }

    /// Decides about a request, and remembers it if it is new.
    package mutating func admit(_ key: Key, notAfter: BootInstant, at now: BootInstant) -> Admission {
        guard now <= notAfter else { return .expired }
        if let entry = entries[key] { return entry.response.map(Admission.answered) ?? .underWay }
        if entries.count >= limit || bytes >= byteLimit { prune(at: now) }
        guard entries.count < limit, bytes < byteLimit else { return .full }
        entries[key] = Entry(notAfter: notAfter)
        return .new
    }

    /// Remembers the response. Does nothing if the request is not known or has been answered.
    package mutating func complete(_ key: Key, response: [UInt8]) {
        guard let entry = entries[key], entry.response == nil else { return }
        entries[key]?.response = response
        bytes += response.count
    }

    /// Forgets the requests whose deadline has passed. Call it now and then.
    package mutating func prune(at now: BootInstant) {
        entries = entries.filter { now <= $0.value.notAfter }
        bytes = entries.values.reduce(0) { $0 + ($1.response?.count ?? 0) }
    }
}
