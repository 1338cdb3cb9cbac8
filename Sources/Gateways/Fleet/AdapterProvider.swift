import BlueZDBus
import BlueZServer
import BlueZValues
import GatewayProtocol

/// Provides the adapters for gateways.
@BlueZServerActor protocol AdapterProvider: AnyObject {
    /// Called when a gateway's status has changed: it came online, went offline or restarted, or its adapter was
    /// switched on or off.
    func changed(_ gateway: RemoteGateway)

    func heard(_ advertisement: GatewayAdvertisement, by gateway: RemoteGateway)

    /// Called when a gateway that is offline was removed to make space for another one.
    func forgot(_ gateway: RemoteGateway)
}

/// Provides one adapter per gateway.
@BlueZServerActor final class AdapterForEach: AdapterProvider {
    private let daemon: Daemon
    private var radios: [GatewayName: GatewayRadio] = [:]
    private var adapters: [GatewayName: Adapter] = [:]
    /// The adapters' power, as last reported by the gateways.
    private var powered: [GatewayName: Bool] = [:]

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    func changed(_ gateway: RemoteGateway) {
        guard gateway.isOnline else {
            powered[gateway.name] = nil
            adapters[gateway.name]?.unplug()
            return
        }
        if let adapter = adapters[gateway.name] {
            adapter.replug()
        } else {
            let radio = GatewayRadio(gateway)
            let address = gateway.status?.adapter?.description ?? "00:00:00:00:00:00"
            let description = AdapterDescription(address: address, name: gateway.name.description)
            guard let adapter = try? daemon.addAdapter(description, radio: radio) else { return }
            radios[gateway.name] = radio
            adapters[gateway.name] = adapter
        }
        // Only changes are applied, because a client may have switched the adapter on this bus.
        let isPowered = gateway.status?.powered ?? true
        guard powered.updateValue(isPowered, forKey: gateway.name) != isPowered else { return }
        adapters[gateway.name]?.powerChanged(isPowered)
    }

    func heard(_ advertisement: GatewayAdvertisement, by gateway: RemoteGateway) {
        radios[gateway.name]?.heard(advertisement)
    }

    func forgot(_ gateway: RemoteGateway) {
        radios[gateway.name] = nil
        if let adapter = adapters.removeValue(forKey: gateway.name) { daemon.removeAdapter(adapter) }
    }
}

/// A gateway's adapter.
@BlueZServerActor final class GatewayRadio: Radio {
    weak var host: (any RadioHost)?
    private let gateway: RemoteGateway
    private var isListening = false

    init(_ gateway: RemoteGateway) {
        self.gateway = gateway
    }

    func startListening() {
        isListening = true
        gateway.publishAgain()
    }

    func stopListening() { isListening = false }

    func forget(_ identity: DeviceIdentity, completion: @escaping @BlueZServerActor () -> Void) {
        guard let device = BluetoothAddress(identity.address) else { return completion() }
        gateway.forget(device, completion: completion)
    }

    func reserve(_ bytes: Int, for identity: DeviceIdentity) -> Bool { gateway.reserve(bytes) }

    func release(_ bytes: Int, for identity: DeviceIdentity) { gateway.release(bytes) }

    func heard(_ advertisement: GatewayAdvertisement) {
        if isListening { host?.heard(AdvertisingReport(advertisement, rssi: advertisement.rssi)) }
    }

    func connect(
        _ host: any LinkHost, completion: @escaping @BlueZServerActor (ConnectionResult) -> Void
    ) -> any RadioOperation {
        let attempt = FleetAttempt(host, completion: completion)
        BlueZServerActor.schedule(after: .zero) { [gateway, weak attempt] in attempt?.connect(through: gateway) }
        return attempt
    }
}
