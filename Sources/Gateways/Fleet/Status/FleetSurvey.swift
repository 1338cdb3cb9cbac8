import BlueZValues
import GatewayProtocol

/// The information that an observer has received from gateways. What each gateway may use is limited; see
/// `GatewayLimits`.
struct FleetSurvey {
    private struct Room {
        var status: GatewayStatus?
        /// The version of the protocol, if it differs from this one.
        var otherVersion: String?
        /// The devices that the gateway receives, with the latest signal strength.
        var heard: [BluetoothAddress: Int?] = [:]
    }

    /// The maximum number of devices of all gateways. Each gateway has a fair share.
    private static let deviceLimit = 20_000

    private var rooms: [GatewayName: Room] = [:]
    private var names: [BluetoothAddress: String] = [:]
    private var shares = FairShare<GatewayName>(limit: FleetSurvey.deviceLimit)

    /// Notes a message.
    ///
    /// - Throws: `MessageError` if it is malformed, or if there is no space for it.
    mutating func received(_ message: BrokerMessage, _ kind: Topics.Kind?) throws(MessageError) {
        switch kind {
        case .status(let name):
            guard !message.payload.isEmpty else { return remove(name) }
            let status = try GatewayStatus(payload: message.payload)
            try add(name)
            guard status.version == Topics.version else {
                rooms[name]?.otherVersion = "\(status.version)"
                return
            }
            if status.instance != rooms[name]?.status?.instance || status.state == .offline { forgetDevices(of: name) }
            rooms[name]?.otherVersion = nil
            rooms[name]?.status = status
        case .otherVersion(let version, let name):
            guard !message.payload.isEmpty else { return }
            try add(name)
            rooms[name]?.otherVersion = version
        case .advertisement(let name, let device):
            guard !message.isRetained, let status = rooms[name]?.status, status.state == .online else { return }
            let advertisement = try GatewayAdvertisement(payload: message.payload)
            guard advertisement.device == device, advertisement.instance == status.instance else {
                throw MessageError("The advertisement is not from the gateway's instance")
            }
            if rooms[name]?.heard[device] == nil, !shares.take(for: name) {
                throw MessageError("The gateway \(name) has more devices than there is space for")
            }
            rooms[name]?.heard[device] = .some(advertisement.rssi)
            if let text = advertisement.data.localName { names[device] = text }
        default: throw MessageError("Its topic is not known")
        }
    }

    private mutating func add(_ name: GatewayName) throws(MessageError) {
        guard rooms[name] == nil else { return }
        guard rooms.count < GatewayLimits.gateways else {
            throw MessageError("There are more than \(GatewayLimits.gateways) gateways")
        }
        rooms[name] = Room()
    }

    private mutating func remove(_ name: GatewayName) {
        forgetDevices(of: name)
        rooms[name] = nil
    }

    private mutating func forgetDevices(of name: GatewayName) {
        guard let room = rooms[name], !room.heard.isEmpty else { return }
        shares.giveBack(room.heard.count, for: name)
        rooms[name]?.heard = [:]
        names = names.filter { device, _ in rooms.values.contains { $0.heard[device] != nil } }
    }

    /// The report: gateways by name, devices by address, and the gateways of each device by signal strength.
    var report: FleetReport {
        var devices: [BluetoothAddress: FleetReport.Device] = [:]
        func change(_ address: BluetoothAddress, _ body: (inout FleetReport.Device) -> Void) {
            var device = devices[address] ?? FleetReport.Device(device: address, name: names[address])
            body(&device)
            devices[address] = device
        }
        let sorted = rooms.sorted { $0.key < $1.key }
        for (name, room) in sorted where room.otherVersion == nil && room.status?.state == .online {
            for (address, rssi) in room.heard {
                change(address) { $0.heard.append(FleetReport.Hearing(gateway: name.description, rssi: rssi)) }
            }
            for address in room.status?.links ?? [] { change(address) { $0.links.append(name.description) } }
        }
        for address in devices.keys {
            devices[address]?.heard.sort { ($1.rssi ?? -128, $0.gateway) < ($0.rssi ?? -128, $1.gateway) }
        }
        return FleetReport(
            gateways: sorted.map { FleetReport.Gateway($0.key, $0.value.status, otherVersion: $0.value.otherVersion) },
            devices: devices.sorted { $0.key < $1.key }.map(\.value))
    }
}
