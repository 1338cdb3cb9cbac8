import BlueZDBus

/// The requests that a gateway has admitted, by identifier, with their responses. A request that is delivered twice is
/// performed once, and gets the same response again.
///
/// A request is remembered until its deadline has passed, and for a minute longer if there is space. The deadline is
/// slightly before the client's own, and a request that was performed must not be reported as expired.
package struct RequestLedger: Sendable {
    package struct Key: Hashable, Sendable {
        package var client: GatewayName
        package var id: Identifier

        package init(client: GatewayName, id: Identifier) {
            self.client = client
            self.id = id
        }
    }

    /// The state of a request that was delivered before.
    package enum Entry: Hashable, Sendable {
        /// The request was performed, with this response.
        case completed([UInt8])
        /// The request is being performed. Its response will follow.
        case underWay
    }

    private struct Record {
        var notAfter: BootInstant
        var response: [UInt8]?
    }

    private var records: [Key: Record] = [:]
    private var counts: FairShare<GatewayName>
    private var bytes: FairShare<GatewayName>
    private static let grace = Duration.seconds(60)
    /// The time of the next pruning. It checks all requests, so a flood of them must not trigger it each time.
    private var nextPruning = BootInstant(nanoseconds: 0)

    package init(limit: Int = GatewayLimits.identifiers, bytes: Int = GatewayLimits.responseBytes) {
        counts = FairShare(limit: limit)
        self.bytes = FairShare(limit: bytes)
    }

    package var count: Int { records.count }

    /// Returns the state of a request, or nil if it is new.
    package func knows(_ key: Key) -> Entry? {
        records[key].map { $0.response.map(Entry.completed) ?? .underWay }
    }

    /// Remembers a new request until its deadline has passed.
    ///
    /// - Returns: false if the request is not new, its deadline has passed, or its user's share is used up. Don't
    ///   perform it then. Otherwise call `complete` afterwards.
    package mutating func admit(_ key: Key, notAfter: BootInstant, at now: BootInstant) -> Bool {
        guard now <= notAfter, records[key] == nil else { return false }
        let user = key.client.user
        if !hasRoom(user), now >= nextPruning {
            nextPruning = now.advanced(by: .seconds(1))
            removeAll(endedBefore: now)
        }
        guard hasRoom(user) else { return false }
        records[key] = Record(notAfter: notAfter)
        counts.add(1, for: user)
        return true
    }

    private func hasRoom(_ user: GatewayName) -> Bool { counts.hasRoom(for: user) && bytes.hasRoom(for: user) }

    /// Remembers the response. Does nothing if the request is unknown or already has one.
    package mutating func complete(_ key: Key, response: [UInt8]) {
        guard let record = records[key], record.response == nil else { return }
        records[key]?.response = response
        bytes.add(response.count, for: key.client.user)
    }

    /// Forgets the requests whose deadline passed long ago. Call it from time to time.
    package mutating func prune(at now: BootInstant) {
        removeAll(endedBefore: now.advanced(by: .zero - Self.grace))
    }

    private mutating func removeAll(endedBefore time: BootInstant) {
        for (key, record) in records where record.notAfter < time {
            records[key] = nil
            counts.giveBack(for: key.client.user)
            bytes.giveBack(record.response?.count ?? 0, for: key.client.user)
        }
    }
}
