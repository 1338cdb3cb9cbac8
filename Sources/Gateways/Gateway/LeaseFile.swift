import BlueZDBus
import BlueZValues
import FoundationEssentials
import GatewayProtocol

/// The file of leases. After it was killed, a gateway reads from it which links are its own.
///
/// Times are those of CLOCK_BOOTTIME, so they are valid until the machine restarts. The boot identifier shows whether
/// it has.
struct LeaseFile {
    private struct Content: Codable {
        struct Entry: Codable {
            var device: BluetoothAddress
            var client: GatewayName
            /// The expiry of the lease in milliseconds since the start of the machine.
            var expiry: Int64
        }

        var boot: String
        var leases: [Entry]
    }

    let path: String

    /// Claims the file, so that two gateways cannot end each other's links.
    func claim() throws(DBusError) -> PrivateFile.Claim? { try PrivateFile.claim(path) }

    /// Replaces the file.
    ///
    /// - Throws: `DBusError` if it cannot be written.
    func write(_ leases: [LeaseTable.Lease]) throws(DBusError) {
        let entries = leases.map {
            Content.Entry(device: $0.device, client: $0.client, expiry: $0.expiry.nanoseconds / 1_000_000)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // The content consists of strings and numbers, which JSON can represent.
        guard let data = try? encoder.encode(Content(boot: Self.boot, leases: entries)) else { return }
        // The file need not survive a loss of power, which ends all links.
        try PrivateFile.replace(path, with: String(decoding: data, as: UTF8.self))
    }

    /// Returns the leases of an earlier gateway, unclaimed. None if the machine has restarted since, or the file is
    /// missing or unreadable. No lease is longer than the longest lease from now.
    func read(at now: BootInstant) -> [LeaseTable.Lease] {
        guard let text = PrivateFile.read(path, limit: 64 * 1024),
            let content = try? JSONDecoder().decode(Content.self, from: Data(text.utf8)), content.boot == Self.boot
        else { return [] }
        let latest = now.advanced(by: GatewayLimits.lease.upperBound + GatewayLimits.deadline)
        return content.leases.prefix(GatewayLimits.links).map { entry in
            let expiry = BootInstant(nanoseconds: entry.expiry.multipliedReportingOverflow(by: 1_000_000).partialValue)
            return LeaseTable.Lease(
                device: entry.device, client: entry.client, link: nil, expiry: min(expiry, latest))
        }
    }

    /// The kernel's random identifier of this start of the machine.
    private static let boot = PrivateFile.read("/proc/sys/kernel/random/boot_id", limit: 64) ?? ""
}
