import BlueZDBus
import BlueZValues
import GatewayProtocol

/// Assigns each device to the gateway that receives it best. Signal strengths are smoothed and compared with
/// hysteresis, so that a device between two gateways keeps its gateway.
struct RoutingTable {
    /// The weight of a new signal strength in the smoothed one.
    private static let weight = 0.3
    /// The number of dB by which another gateway must be better.
    private static let advantage = 6.0
    /// How long the other gateway must be better.
    private static let delay: Duration = .seconds(5)
    /// How long a device counts as received. Gateways repeat unchanged advertisements every 10 s.
    private static let memory: Duration = .seconds(25)

    private struct Estimate {
        var level: Double
        var heard: BootInstant
    }

    private struct Entry {
        /// The gateway to whose share the device counts.
        var payer: GatewayName
        var estimates: [GatewayName: Estimate] = [:]
        var current: GatewayName?
        var challenger: (name: GatewayName, since: BootInstant)?
    }

    /// The maximum number of devices. A radio receives a few thousand at most. Each gateway has a fair share. Beyond
    /// it, devices that were not received for long are removed.
    static let limit = 20_000

    /// The time of the next pruning. It checks all devices, so a flood of them must not trigger it each time.
    private var nextPruning = BootInstant(nanoseconds: 0)
    private var entries: [BluetoothAddress: Entry] = [:]
    private var shares = FairShare<GatewayName>(limit: RoutingTable.limit)

    /// Notes that a gateway received a device.
    ///
    /// - Parameter rssi: the signal strength in dBm. If it is nil, the strength stays as it was, or is weak for a new
    ///   device.
    /// - Returns: the smoothed strength if the device now belongs to this gateway, otherwise nil. Nil also for a new
    ///   device if there is no space.
    mutating func heard(_ device: BluetoothAddress, by name: GatewayName, rssi: Int?, at now: BootInstant) -> Int? {
        if entries[device] == nil {
            if !shares.hasRoom(for: name), now >= nextPruning { prune(at: now) }
            guard shares.take(for: name) else { return nil }
        }
        var entry = entries[device] ?? Entry(payer: name)
        forget(&entry, at: now)
        let old = entry.estimates[name]?.level
        let new = rssi.map(Double.init) ?? old ?? -100
        let level = old.map { $0 + Self.weight * (new - $0) } ?? new
        entry.estimates[name] = Estimate(level: level, heard: now)
        decide(&entry, at: now)
        entries[device] = entry
        return entry.current == name ? Int(level.rounded()) : nil
    }

    /// Returns the gateways that receive a device, the best first: the one to which it belongs, then the others by
    /// strength.
    func routes(of device: BluetoothAddress, at now: BootInstant) -> [GatewayName] {
        guard var entry = entries[device] else { return [] }
        forget(&entry, at: now)
        let others = entry.estimates.filter { $0.key != entry.current }
            .sorted { ($1.value.level, $0.key) < ($0.value.level, $1.key) }.map(\.key)
        return (entry.current.map { [$0] } ?? []) + others
    }

    /// The number of devices.
    var count: Int { entries.count }

    /// Removes a gateway that is gone.
    mutating func remove(_ name: GatewayName, at now: BootInstant) {
        for device in entries.keys {
            guard var entry = entries[device], entry.estimates[name] != nil else { continue }
            entry.estimates[name] = nil
            if entry.current == name { entry.current = nil }
            if entry.challenger?.name == name { entry.challenger = nil }
            forget(&entry, at: now)
            if entry.current == nil { entry.current = Self.best(entry.estimates) }
            entries[device] = entry.estimates.isEmpty ? nil : entry
            guard entry.payer == name || entry.estimates.isEmpty else { continue }
            shares.giveBack(for: entry.payer)
            guard let payer = entry.estimates.keys.min() else { continue }
            entries[device]?.payer = payer
            shares.add(1, for: payer)
        }
    }

    private mutating func prune(at now: BootInstant) {
        nextPruning = now.advanced(by: .seconds(1))
        for (device, entry) in entries
        where !entry.estimates.values.contains(where: { now - $0.heard <= Self.memory }) {
            entries[device] = nil
            shares.giveBack(for: entry.payer)
        }
    }

    private func forget(_ entry: inout Entry, at now: BootInstant) {
        entry.estimates = entry.estimates.filter { now - $0.value.heard <= Self.memory }
        if let current = entry.current, entry.estimates[current] == nil { entry.current = nil }
    }

    private func decide(_ entry: inout Entry, at now: BootInstant) {
        guard let best = Self.best(entry.estimates), let top = entry.estimates[best] else { return }
        guard let current = entry.current, let present = entry.estimates[current] else {
            entry.current = best
            entry.challenger = nil
            return
        }
        guard best != current, top.level - present.level >= Self.advantage else {
            entry.challenger = nil
            return
        }
        guard let challenger = entry.challenger, challenger.name == best else {
            entry.challenger = (best, now)
            return
        }
        guard now - challenger.since >= Self.delay else { return }
        entry.current = best
        entry.challenger = nil
    }

    private static func best(_ estimates: [GatewayName: Estimate]) -> GatewayName? {
        estimates.max { ($0.value.level, $1.key) < ($1.value.level, $0.key) }?.key
    }
}
