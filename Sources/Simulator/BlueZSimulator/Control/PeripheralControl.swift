import BlueZJSONLine
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
        let name = try request.require("do", request.text("do"))
        guard let verb = ControlVerb(rawValue: name) else { throw ControlRefusal("There is no verb \"\(name)\"") }
        switch verb {
        case .capabilities: return capabilities()
        case .reset:
            for peer in peers { peer.peripheral.reset() }
            central?.reset()
        case .advertise: try peripheral(request).isAdvertising = try request.require("on", request.flag("on"))
        case .disconnect, .vanish:
            let peripheral = try peripheral(request)
            let links = peripheral.isConnected ? 1 : 0
            if verb == .vanish { peripheral.simulateRangeLoss() } else { peripheral.simulateDisconnection() }
            return ["links": .integer(Int64(links))]
        case .return: try peripheral(request).simulateReturn()
        case .set: try characteristic(request).value = try request.require("value", request.bytes("value"))
        case .fail: try fail(request)
        case .delay: try characteristic(request).faults.delay = request.milliseconds("ms", upTo: 600_000)
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
        return [:]
    }

    private func capabilities() -> ControlResponse {
        let peers = peers.map { peer in
            let specification = peer.peripheral.specification
            return Self.peer(
                peer.name, peer.peripheral.address, specification.addressType,
                specification.advertisement.localName ?? specification.name)
        }
        let verbs = ControlVerb.allCases.filter { central != nil || !$0.concernsCentral }
        return [
            "side": "simulator", "capabilities": .list(verbs.map { .text($0.rawValue) }),
            "peers": .list(peers + centralPeer),
        ]
    }

    private var centralPeer: [JSONValue] {
        central.map { [Self.peer(Self.centralName, $0.address, $0.addressType, $0.name)] } ?? []
    }

    private static func peer(
        _ peer: String, _ address: String, _ addressType: BluetoothAddress.Kind, _ name: String
    ) -> JSONValue {
        .object([
            "peer": .text(peer), "address": .text(address), "address_type": .text(addressType.rawValue),
            "name": .text(name),
        ])
    }

    private func fail(_ request: ControlRequest) throws {
        let characteristic = try characteristic(request)
        let code = UInt8(try request.integer("att", 0...255))
        let error = code == 0 ? nil : ATTError(rawValue: code)
        switch try request.text("op") {
        case "read": characteristic.faults.readError = error
        case "write": characteristic.faults.writeError = error
        default: throw ControlRefusal("\"op\" is \"read\" or \"write\"")
        }
    }

    private func log(_ request: ControlRequest) throws -> ControlResponse {
        let entries = try peripheral(request).log.map { entry in
            JSONValue.object([
                "op": .text(entry.operation.rawValue), "char": .text(entry.uuid.fullString),
                "value": .text(String(hexadecimal: entry.value)),
            ])
        }
        return ["entries": .list(entries)]
    }

    // MARK: Arguments

    func peripheral(_ request: ControlRequest) throws -> SimulatedPeripheral {
        let name = try request.require("peer", request.text("peer"))
        guard let peer = peers.first(where: { $0.name == name }) else {
            throw ControlRefusal("There is no peer \"\(name)\"")
        }
        return peer.peripheral
    }

    /// Returns the characteristic of `"char"`: a UUID, which means the first one by handle, or
    /// "service/characteristic".
    func characteristic(_ request: ControlRequest) throws -> SimulatedCharacteristic {
        let peripheral = try peripheral(request)
        let text = try request.require("char", request.text("char"))
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
}
