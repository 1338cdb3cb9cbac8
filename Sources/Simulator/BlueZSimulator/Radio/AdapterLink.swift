import BlueZServer

/// One end of a link between two adapters. Each end uses the other adapter's database. bluetoothd has a device object
/// for each end.
@SimulatorActor final class AdapterLink: DatabaseClient {
    private weak var host: (any LinkHost)?
    private weak var other: AdapterLink?
    private var requests: DatabaseRequests?
    private let medium: RadioMedium
    private var isOpen = true
    private var changeHandle: UInt16?

    private init(_ host: any LinkHost, _ medium: RadioMedium) {
        self.host = host
        self.medium = medium
    }

    /// The adapters' largest MTU (ExchangeMTU of main.conf).
    private static let mtu = 517

    /// Makes a link, and passes its other end to bluetoothd.
    ///
    /// - Parameters:
    ///   - host: the device object of the adapter that is connected to.
    ///   - central: the adapter that connects.
    ///   - peripheral: the adapter that is connected to.
    /// - Returns: this end, or nil if there is a link.
    static func connect(
        _ host: any LinkHost, _ central: Adapter, to peripheral: Adapter, in medium: RadioMedium
    ) -> (link: AdapterLink, accept: @SimulatorActor () -> Void)? {
        guard let device = peripheral.incomingDevice(central.identity) else { return nil }
        let (here, there) = (AdapterLink(host, medium), AdapterLink(device, medium))
        here.other = there
        there.other = here
        here.attach(to: peripheral, as: central)
        there.attach(to: central, as: peripheral)
        return (here, { device.accept(there) })
    }

    private func attach(to adapter: Adapter, as own: Adapter) {
        let server = adapter.gatt.database.serve(self, own.identity, mtu: Self.mtu)
        let requests = DatabaseRequests(to: server, timeout: medium.timing.attTransaction) { [weak self] in
            self?.timedOut()
        }
        requests.elevation = { [weak self] error, completion in self?.elevate(error, completion) ?? false }
        self.requests = requests
    }

    var mtu: Int { requests?.mtu ?? 23 }

    /// Whether both sides have keys.
    private var isEncrypted: Bool { host?.isPaired == true && other?.host?.isPaired == true }

    var security: LinkSecurity {
        guard isEncrypted else { return .none }
        return host?.isAuthenticated == true && other?.host?.isAuthenticated == true
            ? .secureConnections : .encrypted
    }

    /// Raises the security if an error requires more than the link has, and sends the request again.
    private func elevate(_ error: ATTError, _ completion: @escaping @SimulatorActor (Bool) -> Void) -> Bool {
        guard error.needsMore(than: security) else { return false }
        host?.secure(needsAuthentication: isEncrypted, completion)
        return true
    }

    func notified(_ value: [UInt8], from handle: UInt16) { host?.received(value, from: handle &- 1) }

    func indicated(_ value: [UInt8], from handle: UInt16) {
        host?.received(value, from: handle &- 1)
        if handle == changeHandle, let requests { host?.servicesChanged(requests.responder.discovery) }
        requests?.responder.confirm()
    }

    func timedOut() { drop(.local) }

    /// Loses the link, which bluetoothd notices on both sides.
    func drop(_ end: LinkEnd) {
        if isOpen { host?.linkLost(end) }
    }
}

extension AdapterLink: RadioLink {
    func discover(_ completion: @escaping @SimulatorActor (Discovery?) -> Void) {
        SimulatorActor.schedule(after: medium.timing.serviceDiscovery) { [weak self] in
            guard let self, self.isOpen, let server = self.requests?.responder else { return }
            let discovery = server.discovery
            self.followChanges(discovery, server)
            completion(discovery)
        }
    }

    /// Switches indications of Service Changed on, as bluetoothd's client does.
    private func followChanges(_ discovery: Discovery, _ server: DatabaseServer) {
        let characteristics = discovery.services.flatMap(\.characteristics)
        guard changeHandle == nil, let characteristic = characteristics.first(where: { $0.uuid == .serviceChanged }),
            let configuration = characteristic.descriptors.first(where: { $0.uuid == .clientConfiguration })
        else { return }
        changeHandle = characteristic.handle &+ 1
        requests?.write([2, 0], to: configuration.handle) { _ in }
    }

    /// The handle of a characteristic's value, or of a descriptor.
    private func valueHandle(_ handle: UInt16) -> UInt16 {
        let characteristics = requests?.responder.discovery.services.flatMap(\.characteristics) ?? []
        return characteristics.contains { $0.handle == handle } ? handle &+ 1 : handle
    }

    func read(_ handle: UInt16, offset: UInt16, completion: @escaping Completion) -> any RadioOperation {
        send(completion) { $0.readLong(self.valueHandle(handle), offset: offset, $1) }
    }

    func write(
        _ value: [UInt8], to handle: UInt16, kind: WriteKind, offset: UInt16, completion: @escaping Completion
    ) -> any RadioOperation {
        let handle = valueHandle(handle)
        let isLong = kind == .reliable || offset > 0 || value.count > mtu - 3
        return send(completion) { requests, completion in
            isLong
                ? requests.writeLong(value, to: handle, offset: offset, completion)
                : requests.write(value, to: handle, completion)
        }
    }

    func command(_ value: [UInt8], to handle: UInt16) { requests?.command(value, to: valueHandle(handle)) }

    func configure(
        _ handle: UInt16, _ setting: NotifySetting, completion: @escaping Completion
    ) -> any RadioOperation {
        let characteristics = requests?.responder.discovery.services.flatMap(\.characteristics) ?? []
        let descriptors = characteristics.first { $0.handle == handle }?.descriptors
        let configuration = descriptors?.first { $0.uuid == .clientConfiguration }?.handle ?? 0
        return send(completion) { $0.write([UInt8(setting.rawValue), 0], to: configuration, $1) }
    }

    private func send(
        _ completion: @escaping Completion,
        _ body: (DatabaseRequests, @escaping DatabaseRequests.ResponseHandler) -> DatabaseRequests.Request
    ) -> any RadioOperation {
        let finish: DatabaseRequests.ResponseHandler = { completion($0.mapError { .attribute($0.rawValue) }) }
        guard let requests else {
            finish(.failure(.unlikelyError))
            return DatabaseRequests.Request(work: { _, _ in }, completion: { _ in })
        }
        return body(requests, finish)
    }

    func pair(
        _ request: PairingRequest, completion: @escaping @SimulatorActor (PairingEnd) -> Void
    ) -> any RadioPairing {
        AdapterPairing(request, with: other?.host, timeout: medium.timing.pairing, completion: completion)
    }

    func disconnect(_ completion: @escaping @SimulatorActor () -> Void) -> any RadioOperation {
        SimulatorActor.schedule(after: medium.timing.disconnect, completion)
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        requests?.close()
        other?.drop(.remote)
    }
}
