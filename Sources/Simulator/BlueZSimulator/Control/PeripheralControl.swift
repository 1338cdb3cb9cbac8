import BlueZPrintableText

/// Performs the requests of the control channel.
@SimulatorActor final class PeripheralControl {
    private let peers: [ControlServer.Peer]
    let central: SimulatedCentral?

    init(peers: [ControlServer.Peer], central: SimulatedCentral?) {
        self.peers = peers
        self.central = central
    }

    /// Performs a request. Long-running work ends when the task is cancelled.
    func perform(_ request: ControlRequest) async throws -> ControlResponse {
        guard let verb = ControlVerb(rawValue: request.verb) else {
            throw ControlRefusal("There is no verb \"\(request.verb)\"")
        }
        switch verb {
        case .capabilities: return capabilities()
        case .reset:
            for peer in peers { peer.peripheral.reset() }
            central?.reset()
        case .advertise: try peripheral(request).isAdvertising = try Self.require(request.isOn, "on")
        case .disconnect, .vanish:
            let peripheral = try peripheral(request)
            let links = peripheral.isConnected ? 1 : 0
            if verb == .vanish { peripheral.simulateRangeLoss() } else { peripheral.simulateDisconnection() }
            return ControlResponse(links: links)
        case .return: try peripheral(request).simulateReturn()
        case .set: try characteristic(request).value = try Self.value(request)
        case .fail: try fail(request)
        case .delay: try characteristic(request).faults.delay = Self.milliseconds(request.delay, "ms", upTo: 600_000)
        case .addService: try addService(request)
        case .removeService: try removeService(request)
        case .pairing: try setPairing(request)
        case .pairingState: return try pairingState(request)
        case .enterPasskey: try enterPasskey(request)
        case .forget: try forget(request)
        case .log: return try log(request)
        case .notify: return try await notify(request)
        default: return try await performCentral(verb, request)
        }
        return ControlResponse()
    }

    private func capabilities() -> ControlResponse {
        let peers = peers.map { peer in
            let specification = peer.peripheral.specification
            return ControlResponse.Peer(
                peer: peer.name,
                address: peer.peripheral.address,
                addressType: specification.addressType.rawValue,
                name: specification.advertisement.localName ?? specification.name
            )
        }
        let verbs = ControlVerb.allCases.filter { central != nil || !$0.concernsCentral }
        return ControlResponse(side: "simulator", capabilities: verbs.map(\.rawValue), peers: peers + centralPeer)
    }

    private var centralPeer: [ControlResponse.Peer] {
        central.map { central in
            [
                ControlResponse.Peer(
                    peer: Self.centralName, address: central.address, addressType: central.addressType.rawValue,
                    name: central.name)
            ]
        } ?? []
    }

    private func fail(_ request: ControlRequest) throws {
        let characteristic = try characteristic(request)
        guard let code = UInt8(exactly: try Self.require(request.code, "att")) else {
            throw ControlRefusal("\"att\" is a number from 0 to 255")
        }
        let error = code == 0 ? nil : ATTError(rawValue: code)
        switch request.op {
        case "read": characteristic.faults.readError = error
        case "write": characteristic.faults.writeError = error
        default: throw ControlRefusal("\"op\" is \"read\" or \"write\"")
        }
    }

    private func log(_ request: ControlRequest) throws -> ControlResponse {
        let entries = try peripheral(request).log.map { entry in
            ControlResponse.Entry(
                op: entry.operation.rawValue, char: entry.uuid.fullString, value: String(hexadecimal: entry.value))
        }
        return ControlResponse(entries: entries)
    }

    // MARK: Arguments

    func peripheral(_ request: ControlRequest) throws -> SimulatedPeripheral {
        let name = try Self.require(request.peer, "peer")
        guard let peer = peers.first(where: { $0.name == name }) else {
            throw ControlRefusal("There is no peer \"\(name)\"")
        }
        return peer.peripheral
    }

    /// Returns the characteristic of `"char"`: a UUID, which means the first one by handle, or
    /// "service/characteristic".
    func characteristic(_ request: ControlRequest) throws -> SimulatedCharacteristic {
        let peripheral = try peripheral(request)
        let text = try Self.require(request.char, "char")
        let uuids = text.split(separator: "/", omittingEmptySubsequences: false).map { BluetoothUUID(String($0)) }
        let found: SimulatedCharacteristic? =
            switch (uuids.count, uuids.first ?? nil, uuids.last ?? nil) {
            case (1, let uuid?, _): peripheral.characteristic(uuid)
            case (2, let service?, let uuid?):
                peripheral.services.lazy.filter { $0.uuid == service }.compactMap { $0[uuid] }.first
            default: throw ControlRefusal("\"\(text)\" is not a UUID")
            }
        guard let found else { throw ControlRefusal("There is no characteristic \(text)") }
        return found
    }

    static func value(_ request: ControlRequest) throws -> [UInt8] {
        try bytes(require(request.value, "value"))
    }

    static func bytes(_ text: String) throws -> [UInt8] {
        guard let bytes = [UInt8](hexadecimal: text), bytes.count <= 512 else {
            throw ControlRefusal("\"value\" is hexadecimal digits of at most 512 bytes")
        }
        return bytes
    }

    static func milliseconds(_ value: Double?, _ name: String, upTo limit: Double) throws -> Duration {
        let value = try require(value, name)
        guard value >= 0, value <= limit else {
            throw ControlRefusal("\"\(name)\" is a number from 0 to \(Int(limit))")
        }
        return .seconds(value / 1000)
    }

    static func require<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw ControlRefusal("\"\(name)\" is missing") }
        return value
    }
}
