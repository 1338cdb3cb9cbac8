import BlueZDBus
import BlueZValues

/// A table of which client may use each device, and until when. A device has one client.
package struct LeaseTable: Hashable, Sendable {
    package struct Lease: Hashable, Sendable {
        package var device: BluetoothAddress
        package var client: GatewayName
        /// The number of the link. Nil for a lease from before a restart that its client has not claimed.
        package var link: UInt64?
        package var expiry: BootInstant

        package init(device: BluetoothAddress, client: GatewayName, link: UInt64?, expiry: BootInstant) {
            self.device = device
            self.client = client
            self.link = link
            self.expiry = expiry
        }
    }

    package enum Grant: Hashable, Sendable {
        case granted(Lease)
        /// Another client holds the lease.
        case leased(to: GatewayName)
        /// All links are in use.
        case full
    }

    private var byDevice: [BluetoothAddress: Lease] = [:]

    package init(_ leases: some Sequence<Lease> = []) {
        for lease in leases { byDevice[lease.device] = lease }
    }

    /// All leases, by device.
    package var leases: [Lease] { byDevice.values.sorted { $0.device < $1.device } }

    package var count: Int { byDevice.count }

    package subscript(device: BluetoothAddress) -> Lease? { byDevice[device] }

    /// Returns the lease of a client on a link, if it has not expired.
    package func lease(_ reference: LinkReference, of client: GatewayName, at now: BootInstant) -> Lease? {
        guard let lease = byDevice[reference.device], lease.link == reference.link, lease.client == client,
            now < lease.expiry
        else { return nil }
        return lease
    }

    /// Grants a lease under a new link number. It replaces a lease that the client already has on the device. An
    /// expired lease of another client counts until `expire` has removed it, because its link may still be up.
    package mutating func grant(
        _ device: BluetoothAddress, to client: GatewayName, link: UInt64, duration: Duration, slots: Int,
        at now: BootInstant
    ) -> Grant {
        if let lease = byDevice[device] {
            guard lease.client == client else { return .leased(to: lease.client) }
        } else if byDevice.count >= slots {
            return .full
        }
        let lease = Lease(device: device, client: client, link: link, expiry: now.advanced(by: duration))
        byDevice[device] = lease
        return .granted(lease)
    }

    /// Renews a client's leases on these links. Its other leases do not change, because the client may not know them
    /// yet: the response to `connect` may be on its way.
    ///
    /// - Returns: the renewed leases. Missing ones are gone.
    package mutating func renew(
        _ links: [LinkReference], of client: GatewayName, duration: Duration, at now: BootInstant
    ) -> [Lease] {
        var kept: [Lease] = []
        for reference in Set(links) {
            guard var lease = lease(reference, of: client, at: now) else { continue }
            lease.expiry = now.advanced(by: duration)
            byDevice[lease.device] = lease
            kept.append(lease)
        }
        return kept.sorted { $0.device < $1.device }
    }

    /// Ends the lease on a device.
    @discardableResult package mutating func end(_ device: BluetoothAddress) -> Lease? {
        byDevice.removeValue(forKey: device)
    }

    /// Removes the leases that have expired, and returns them. The caller ends their links.
    package mutating func expire(at now: BootInstant) -> [Lease] {
        let expired = leases.filter { $0.expiry <= now }
        for lease in expired { byDevice[lease.device] = nil }
        return expired
    }

    /// The time at which the next lease expires, or nil if there is none.
    package var nextExpiry: BootInstant? { byDevice.values.map(\.expiry).min() }
}
