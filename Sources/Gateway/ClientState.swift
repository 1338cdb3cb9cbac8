import DBus
import GatewayProtocol

/// A gateway's state for a client.
struct ClientState {
    var bucket: TokenBucket
    var lastSeen: BootInstant
}

extension Gateway {
    /// Whether a client may send a new request now. A gateway has state for a limited number of clients: those without
    /// a lease that have been silent for a minute are removed first.
    func allowsRequest(of client: GatewayName, at now: BootInstant) -> Bool {
        if clients[client] == nil {
            if clients.count >= GatewayLimits.clients { forgetSilentClients(at: now) }
            guard clients.count < GatewayLimits.clients else { return false }
            let bucket = TokenBucket(rate: GatewayLimits.requestRate, burst: GatewayLimits.requestBurst, now: now)
            clients[client] = ClientState(bucket: bucket, lastSeen: now)
        }
        clients[client]?.lastSeen = now
        return clients[client]?.bucket.take(at: now) ?? false
    }

    private func forgetSilentClients(at now: BootInstant) {
        let holders = Set(leases.leases.map(\.client))
        clients = clients.filter { now - $0.value.lastSeen < .seconds(60) || holders.contains($0.key) }
    }
}
