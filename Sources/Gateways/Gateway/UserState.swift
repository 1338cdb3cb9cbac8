import BlueZDBus
import GatewayProtocol

/// A gateway's state for a user of the broker.
struct UserState {
    /// The limit of the requests that are performed.
    var requests: TokenBucket
    /// The limit of the further requests that are refused. Others are ignored.
    var refusals: TokenBucket
    var lastSeen: BootInstant

    init(at now: BootInstant) {
        requests = TokenBucket(rate: GatewayLimits.requestRate, burst: GatewayLimits.requestBurst, now: now)
        refusals = requests
        lastSeen = now
    }
}

extension Gateway {
    /// Returns whether a user may send a request now. Call it before anything else, because malformed requests count
    /// too.
    func mayRequest(_ user: GatewayName, at now: BootInstant) -> Bool {
        if users[user] == nil, users.count >= GatewayLimits.users { forgetIdlestUser() }
        return withUser(user, at: now) { $0.requests.take(at: now) }
    }

    /// Returns whether a request that exceeds the rate gets a response.
    func mayRefuse(_ user: GatewayName, at now: BootInstant) -> Bool {
        withUser(user, at: now) { $0.refusals.take(at: now) }
    }

    /// Charges a user for a response. A long one counts as several requests.
    func charge(_ bytes: Int, to user: GatewayName) {
        users[user]?.requests.charge(bytes / GatewayLimits.responseUnit)
    }

    private func withUser<Value>(
        _ user: GatewayName, at now: BootInstant, _ body: (inout UserState) -> Value
    ) -> Value {
        var state = users[user] ?? UserState(at: now)
        state.lastSeen = now
        defer { users[user] = state }
        return body(&state)
    }

    /// Removes the user that has been idle longest, except for those with a lease.
    private func forgetIdlestUser() {
        let holders = Set(leases.leases.map(\.client.user))
        let idlest = users.filter { !holders.contains($0.key) }.min { $0.value.lastSeen < $1.value.lastSeen }
        if let idlest { users[idlest.key] = nil }
    }
}
