import BlueZServer

/// The link of a simulated central to an adapter, as bluetoothd sees it.
@SimulatorActor final class CentralLink: DatabaseClient {
    let central: SimulatedCentral
    private(set) var requests: DatabaseRequests?
    private(set) weak var host: (any LinkHost)?
    private let medium: RadioMedium
    private(set) var isOpen = true

    init(of central: SimulatedCentral, _ host: any LinkHost, _ medium: RadioMedium) {
        self.central = central
        self.host = host
        self.medium = medium
    }

    func attach(to server: DatabaseServer) {
        requests = DatabaseRequests(to: server, timeout: medium.timing.attTransaction) { [weak self] in
            self?.timedOut()
        }
    }

    /// Whether bluetoothd and the central have keys.
    var isEncrypted: Bool { host?.isPaired == true && (central.keys != nil || !central.pairing.bonds) }

    var security: LinkSecurity {
        guard isEncrypted else { return .none }
        guard host?.isAuthenticated == true else { return .encrypted }
        return central.keys?.areSecureConnections == false ? .authenticated : .secureConnections
    }

    func notified(_ value: [UInt8], from handle: UInt16) {
        if requests?.isSilent == false { central.received(value, from: handle, isIndication: false) }
    }

    func indicated(_ value: [UInt8], from handle: UInt16) {
        if requests?.isSilent == false { central.received(value, from: handle, isIndication: true) }
    }

    func timedOut() { drop(.local) }

    /// Loses the link, which bluetoothd notices.
    func drop(_ end: LinkEnd) {
        if isOpen { host?.linkLost(end) }
    }
}

extension CentralLink: RadioLink {
    var mtu: Int { requests?.mtu ?? 23 }

    /// bluetoothd discovers the services of a central too (ReverseServiceDiscovery of main.conf).
    func discover(_ completion: @escaping @SimulatorActor (Discovery?) -> Void) {
        SimulatorActor.schedule(after: medium.timing.serviceDiscovery) { [weak self] in
            guard let self, self.isOpen, self.requests?.isSilent == false else { return }
            completion(Discovery(services: self.central.ownServices.map { $0.description(including: []) }))
        }
    }

    func read(_ handle: UInt16, offset: UInt16, completion: @escaping Completion) -> any RadioOperation {
        let characteristic = central.ownServices.flatMap(\.characteristics).first { $0.handle == handle }
        let value = characteristic?.value ?? []
        guard offset <= value.count else { return respond(.failure(.attribute(0x07)), completion) }
        return respond(.success(Array(value.dropFirst(Int(offset)))), completion)
    }

    func write(
        _ value: [UInt8], to handle: UInt16, kind: WriteKind, offset: UInt16, completion: @escaping Completion
    ) -> any RadioOperation {
        respond(.failure(.attribute(ATTError.writeNotPermitted.rawValue)), completion)
    }

    func command(_ value: [UInt8], to handle: UInt16) {}

    func configure(
        _ handle: UInt16, _ setting: NotifySetting, completion: @escaping Completion
    ) -> any RadioOperation {
        respond(.success([]), completion)
    }

    private func respond(_ result: Result<[UInt8], LinkError>, _ completion: @escaping Completion) -> any RadioOperation
    {
        SimulatorActor.schedule(after: .zero) { completion(result) }
    }

    func pair(
        _ request: PairingRequest, completion: @escaping @SimulatorActor (PairingEnd) -> Void
    ) -> any RadioPairing {
        PairingProcedure(
            with: central, request, startedThere: !request.isWanted, timeout: medium.timing.pairing,
            completion: completion)
    }

    func disconnect(_ completion: @escaping @SimulatorActor () -> Void) -> any RadioOperation {
        SimulatorActor.schedule(after: medium.timing.disconnect, completion)
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        requests?.close()
        central.disconnected(self)
    }
}
