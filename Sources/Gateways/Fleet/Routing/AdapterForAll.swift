import BlueZDBus
import BlueZServer
import BlueZValues
import GatewayProtocol

/// Provides one adapter for all gateways.
@BlueZServerActor final class AdapterForAll: AdapterProvider, Radio {
    weak var host: (any RadioHost)?
    private weak var fleet: Fleet?
    private var isListening = false
    private(set) var table = RoutingTable()
    private var waiting: [FleetAttempt] = []
    /// The gateway through which each device was last connected.
    private var latest: [BluetoothAddress: GatewayName] = [:]
    /// The gateways that received each device first, with the space that the devices use.
    private var spaces: [String: (gateway: GatewayName, bytes: Int)] = [:]
    /// The instances of the gateways that are online.
    private var instances: [GatewayName: Identifier] = [:]
    /// The adapter, which keeps this as its radio.
    private weak var adapter: Adapter?
    /// Whether the adapter was on when the last gateway left. A client may have switched it off.
    private var wasPowered = true
    /// Whether a gateway is online with its Bluetooth on. Without one, the adapter is off.
    private var isUsable = false

    init(_ daemon: Daemon, _ fleet: Fleet) throws(DBusError) {
        self.fleet = fleet
        // Bit 0x02 of the first byte marks an address that the IEEE has not assigned.
        let description = AdapterDescription(
            address: "02:00:00:00:00:01", name: fleet.configuration.name.description, isPowered: false)
        adapter = try daemon.addAdapter(description, radio: self)
    }

    func changed(_ gateway: RemoteGateway) {
        powerMayHaveChanged()
        guard gateway.isOnline, let instance = gateway.instance else {
            instances[gateway.name] = nil
            return table.remove(gateway.name, at: .now)
        }
        guard instances.updateValue(instance, forKey: gateway.name) != instance else { return }
        if isListening || !waiting.isEmpty { gateway.publishAgain() }
    }

    private func powerMayHaveChanged() {
        let isUsable = fleet?.gateways.values.contains { $0.isUsable } ?? false
        guard isUsable != self.isUsable, let adapter else { return }
        self.isUsable = isUsable
        if isUsable {
            adapter.powerChanged(wasPowered)
        } else {
            log.warning("No gateway can be used: the adapter is off until one is online")
            wasPowered = adapter.isPowered
            adapter.powerChanged(false)
        }
    }

    var powerRefusal: DBusError? {
        isUsable
            ? nil : BlueZError.failed("No gateway is online with its Bluetooth on; see: gatt fleet status")
    }

    func startListening() {
        isListening = true
        for gateway in online { gateway.publishAgain() }
    }

    func stopListening() { isListening = false }

    func heard(_ advertisement: GatewayAdvertisement, by gateway: RemoteGateway) {
        let device = advertisement.device
        let level = table.heard(device, by: gateway.name, rssi: advertisement.rssi, at: .now)
        for attempt in waiting where attempt.device == device { advance(attempt) }
        guard isListening, let level else { return }
        host?.heard(AdvertisingReport(advertisement, rssi: advertisement.rssi == nil ? nil : level))
    }

    func connect(
        _ host: any LinkHost, completion: @escaping @BlueZServerActor (ConnectionResult) -> Void
    ) -> any RadioOperation {
        let attempt = FleetAttempt(host, completion: completion)
        attempt.ended = { [weak self] attempt in self?.waiting.removeAll { $0 === attempt } }
        attempt.used = { [weak self, weak attempt] gateway in
            if let device = attempt?.device { self?.remember(device, gateway.name) }
        }
        attempt.alternative = { [weak self] attempt in self?.best(for: attempt) }
        attempt.obstacle = { [weak self] attempt in self?.obstacle(for: attempt) }
        waiting.append(attempt)
        attempt.limit(to: fleet?.configuration.timeouts.connect ?? .zero)
        for gateway in online { gateway.publishAgain() }
        BlueZServerActor.schedule(after: .zero) { [weak self, weak attempt] in
            if let self, let attempt { self.advance(attempt) }
        }
        return attempt
    }

    /// Remembers the gateway of a device. Devices may have another address for each link, so old addresses are removed.
    private func remember(_ device: BluetoothAddress, _ name: GatewayName) {
        if latest.count >= RoutingTable.limit, latest[device] == nil { latest.removeAll() }
        latest[device] = name
    }

    /// Makes the gateway of the latest link forget the device. Only that gateway can have a bond that this fleet knows.
    func forget(_ identity: DeviceIdentity, completion: @escaping @BlueZServerActor () -> Void) {
        guard let device = BluetoothAddress(identity.address), let name = latest.removeValue(forKey: device),
            let gateway = fleet?.gateways[name]
        else { return completion() }
        gateway.forget(device, completion: completion)
    }

    func forgot(_ gateway: RemoteGateway) {}

    func reserve(_ bytes: Int, for identity: DeviceIdentity) -> Bool {
        guard let fleet else { return false }
        var space = spaces[identity.address] ?? (name(of: identity) ?? fleet.configuration.name, 0)
        guard fleet.reserve(bytes, for: space.gateway) else { return false }
        space.bytes += bytes
        spaces[identity.address] = space
        return true
    }

    private func name(of identity: DeviceIdentity) -> GatewayName? {
        BluetoothAddress(identity.address).flatMap { table.routes(of: $0, at: .now).first }
    }

    func release(_ bytes: Int, for identity: DeviceIdentity) {
        guard var space = spaces[identity.address] else { return }
        fleet?.release(bytes, for: space.gateway)
        space.bytes -= bytes
        spaces[identity.address] = space.bytes > 0 ? space : nil
    }

    /// Continues an attempt if a gateway with a free link receives the device.
    private func advance(_ attempt: FleetAttempt) {
        guard attempt.isWaiting, let gateway = best(for: attempt) else { return }
        attempt.connect(through: gateway)
    }

    /// Returns the reason why no gateway could be used.
    private func obstacle(for attempt: FleetAttempt) -> String {
        let names = attempt.device.map { table.routes(of: $0, at: .now) } ?? []
        guard let first = names.first else { return "No gateway hears the device" }
        let others = names.count > 1 ? " and \(names.count - 1) more" : ""
        return "No free link, or Bluetooth is off, on the gateways that hear the device: \(first)\(others)"
    }

    /// Returns the gateway that receives the device best among those that have a free link, according to their statuses
    /// and responses.
    private func best(for attempt: FleetAttempt) -> RemoteGateway? {
        guard let fleet, let device = attempt.device else { return nil }
        return table.routes(of: device, at: .now).lazy.compactMap { fleet.gateways[$0] }
            .first {
                $0.isUsable && ($0.status?.free ?? 1) > 0 && !attempt.busy.contains($0.name)
            }
    }

    private var online: [RemoteGateway] { (fleet?.gateways.values.filter(\.isOnline)) ?? [] }
}
