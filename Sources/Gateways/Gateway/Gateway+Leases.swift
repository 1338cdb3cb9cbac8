import BlueZDBus
import CoreBlueZ
import GatewayProtocol

extension Gateway {
    /// Takes over the leases of an earlier start, whose links may still be up in bluetoothd.
    func adoptLeases() {
        leases = LeaseTable(file.read(at: .now))
        guard leases.count > 0 else { return }
        log.info("Found \(leases.count) leases of an earlier start")
        leasesDidChange()
    }

    /// Returns the peripheral with an address, if bluetoothd knows it.
    func peripheral(at device: BluetoothAddress) -> Peripheral? {
        central.retrievePeripheral(withIdentifier: device)
    }

    /// Writes the leases to the file.
    ///
    /// - Returns: whether that succeeded.
    @discardableResult func saveLeases() -> Bool {
        do throws(DBusError) {
            try file.write(leases.leases)
            return true
        } catch {
            log.error("The leases cannot be written to \(file.path): \(error)")
            return false
        }
    }

    /// Stores the leases, waits for the next one to expire, and publishes the number of free links.
    func leasesDidChange() {
        saveLeases()
        awaitExpiry()
        statusDidChange()
    }

    func awaitExpiry() {
        expiry?.cancel()
        expiry = leases.nextExpiry.map { next in
            BluetoothActor.after(max(next - BootInstant.now, .zero) + .milliseconds(1)) { [weak self] in
                self?.endExpiredLeases()
            }
        }
    }

    /// Ends the links whose lease has expired, when bluetoothd is available. Without bluetoothd, no link can be ended.
    func endExpiredLeases() {
        guard !isEnding, central.state == .poweredOn else { return }
        let expired = leases.expire(at: .now)
        guard !expired.isEmpty else { return awaitExpiry() }
        for lease in expired {
            log.info("The lease of \(lease.client) on \(lease.device) has expired")
            endLink(to: lease.device, .disconnected)
            // If there is no link, this ends bluetoothd's attempt to connect.
            peripheral(at: lease.device)?.disconnect { _ in }
        }
        leasesDidChange()
    }

    /// Responds to `renew`.
    func renew(_ references: [LinkReference], lease: Int, _ request: AdmittedRequest) {
        let duration = Self.lease(lease)
        let kept = leases.renew(references, of: request.client, duration: duration, at: .now)
        if !kept.isEmpty {
            saveLeases()
            awaitExpiry()
        }
        let entries = kept.compactMap { lease in
            links[lease.device].flatMap { link in
                link.isUp
                    ? RenewResult.Entry(device: lease.device, link: link.reference.link, sequence: link.sequence) : nil
            }
        }
        let result = RenewResult(links: entries, lease: Int(duration.wholeMilliseconds))
        respond(request, .success(result))
    }

    /// Returns the granted lease for a requested one in milliseconds.
    static func lease(_ milliseconds: Int) -> Duration {
        min(max(.milliseconds(milliseconds), GatewayLimits.lease.lowerBound), GatewayLimits.lease.upperBound)
    }
}
