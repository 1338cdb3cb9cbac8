import DBus
import GatewayProtocol

/// What a gateway keeps about a user of the broker.
struct UserState {
    /// What it may ask for.
    var requests: TokenBucket
    /// What is refused to it if it asks for more.
    var refusals: TokenBucket
    var lastSeen: BootInstant

    init(at now: BootInstant) {
        requests = TokenBucket(rate: GatewayLimits.requestRate, burst: GatewayLimits.requestBurst, now: now)
        refusals = TokenBucket(rate: GatewayLimits.refusalRate, burst: GatewayLimits.refusalRate, now: now)
        lastSeen = now
    }
}

extension Gateway {
    /// Whether a user may send a request now. Everything that a request causes comes after this question: what is refused
    /// counts like what is carried out.
    func mayRequest(_ user: GatewayName, at now: BootInstant) -> Bool {
        if users[user] == nil, users.count >= GatewayLimits.users { forgetIdlestUser() }
        return withUser(user, at: now) { $0.requests.take(at: now) }
    }

    /// Whether the user hears of a request that is refused because there are too many.
    func mayRefuse(_ user: GatewayName, at now: BootInstant) -> Bool {
        withUser(user, at: now) { $0.refusals.take(at: now) }
    }

    /// A long response counts as several requests.
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

    /// Whoever has a lease stays.
    private func forgetIdlestUser() {
        let holders = Set(leases.leases.map(\.client.user))
        let idlest = users.filter { !holders.contains($0.key) }.min { $0.value.lastSeen < $1.value.lastSeen }
        if let idlest { users[idlest.key] = nil }
    }
}
