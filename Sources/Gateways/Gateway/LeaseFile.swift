import BlueZDBus
import BlueZJSONLine
import BlueZValues
import FoundationEssentials
import GatewayProtocol

/// The file of leases. After it was killed, a gateway reads from it which links are its own.
///
/// Times are those of CLOCK_BOOTTIME, so they are valid until the machine restarts. The boot identifier shows whether
/// it has.
struct LeaseFile {
    private struct Content: JSONObject {
        struct Entry: JSONObject {
            var device: BluetoothAddress?
            var client: GatewayName?
            /// The expiry of the lease in milliseconds since the start of the machine.
            var expiry: Int64 = 0

            mutating func code(_ keys: inout JSONKeys) {
                keys.add("device", &device, .address)
                keys.add("client", &client, .gatewayName)
                keys.add("expiry", required: &expiry, .number())
            }
        }

        var boot = ""
        var leases: [Entry] = []

        mutating func code(_ keys: inout JSONKeys) {
            keys.add("boot", required: &boot, .text)
            keys.add("leases", required: &leases, .list(.object("a lease")))
        }
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
        var output = JSONOutput()
        Content(boot: Self.boot, leases: entries).write(to: &output)
        // The file need not survive a loss of power, which ends all links.
        try PrivateFile.replace(path, with: String(decoding: output.bytes, as: UTF8.self))
    }

    /// Returns the leases of an earlier gateway, unclaimed. None if the machine has restarted since, or the file is
    /// missing or unreadable. No lease is longer than the longest lease from now.
    func read(at now: BootInstant) -> [LeaseTable.Lease] {
        guard let text = PrivateFile.read(path, limit: 64 * 1024),
            let nodes = try? JSONParser.values(in: text.utf8), let node = nodes.first,
            let content = try? Content(node, "the file"), content.boot == Self.boot
        else { return [] }
        let latest = now.advanced(by: GatewayLimits.lease.upperBound + GatewayLimits.deadline)
        return content.leases.prefix(GatewayLimits.links).compactMap { entry in
            guard let device = entry.device, let client = entry.client else { return nil }
            let expiry = BootInstant(nanoseconds: entry.expiry.multipliedReportingOverflow(by: 1_000_000).partialValue)
            return LeaseTable.Lease(
                device: device, client: client, link: nil, expiry: min(expiry, latest))
        }
    }

    /// The kernel's random identifier of this start of the machine.
    private static let boot = PrivateFile.read("/proc/sys/kernel/random/boot_id", limit: 64) ?? ""
}
