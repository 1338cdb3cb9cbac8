import BlueZDBus
import BlueZServer
import GatewayProtocol

extension RemoteGateway {
    /// The maximum number of events before the response to `connect`, which has another topic.
    private static let earlyLimit = 256

    /// Adds a link that is up. The lease began when the gateway connected, so both sides agree about it after a
    /// renewal.
    func add(_ link: FleetLink) {
        links[link.reference.link] = link
        let events = early.removeValue(forKey: link.reference.link) ?? []
        if !isConnecting { early.removeAll() }
        for event in events { link.received(event) }
        if links[link.reference.link] === link { renew([link]) }
        if renewal == nil { scheduleRenewal() }
    }

    func remove(_ link: FleetLink) {
        guard links[link.reference.link] === link else { return }
        links[link.reference.link] = nil
        guard links.isEmpty else { return }
        renewal?.cancel()
        renewal = nil
    }

    func received(_ event: GatewayEvent) {
        guard event.instance == instance else { return warn("an event of another instance was dropped") }
        if let link = links[event.link] {
            guard link.reference.device == event.device else { return warn("an event names another device") }
            return link.received(event)
        }
        // Events of a link that was closed here may still arrive.
        guard isConnecting, early.values.reduce(0, { $0 + $1.count }) < Self.earlyLimit else { return }
        early[event.link, default: []].append(event)
    }

    private func scheduleRenewal() {
        renewal = BlueZServerActor.schedule(after: lease / 3) { [weak self] in
            guard let self else { return }
            self.scheduleRenewal()
            self.early.removeAll()
            self.renew(Array(self.links.values))
        }
    }

    /// Renews the leases of links. Links that the gateway no longer has are lost.
    func renew(_ renewed: [FleetLink]) {
        for start in stride(from: 0, to: renewed.count, by: GatewayLimits.links) {
            renew(part: Array(renewed[start..<min(start + GatewayLimits.links, renewed.count)]))
        }
    }

    private func renew(part: [FleetLink]) {
        let references = part.map(\.reference)
        let started = BootInstant.now
        request(.renew(references, lease: Int(lease.wholeMilliseconds)), timeout: lease / 3) {
            (result: Result<RenewResult, RequestFailure>) in
            guard case .success(let response) = result else { return }
            let end = started.advanced(by: .milliseconds(response.lease))
            for link in part where !link.isOver {
                if let entry = response.links.first(where: { $0.link == link.reference.link }) {
                    link.confirmed(until: end, latest: entry.sequence)
                } else {
                    link.lose()
                }
            }
        }
    }
}
