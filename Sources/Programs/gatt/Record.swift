import BlueZJSONLine
import CoreBlueZ
import FoundationEssentials

/// A line of `--json`. Documentation/gatt.md is the schema; fields that do not apply are omitted.
struct Record: Encodable {
    /// The subject: adapter, advertisement, device, service, characteristic, descriptor, read, write, notify, ...
    var event: String
    var time = Self.text(Date())
    var adapter: String?
    var device: String?
    var deviceName: String?
    var addressType: String?
    var identity: String?
    var alias: String?
    var service: String?
    var serviceName: String?
    var characteristic: String?
    var characteristicName: String?
    var descriptor: String?
    var descriptorName: String?
    var handle: UInt16?
    var valueHandle: UInt16?
    var isPrimary: Bool?
    var properties: [String]?
    var mtu: Int?
    var value: String?
    var decoded: JSONValue?
    var unit: String?
    var units: [String: String]?
    var reason: String?
    var reasons: [String: String]?
    var error: String?
    var rssi: Int?
    var txPower: Int?
    var appearance: UInt16?
    var appearanceName: String?
    var serviceUUIDs: [String]?
    var manufacturerData: [String: String]?
    var companies: [String: String]?
    var serviceData: [String: String]?
    var isPowered: Bool?
    var isBlocked: Bool?
    var isDiscovering: Bool?
    var isConnected: Bool?
    var isPaired: Bool?
    var isBonded: Bool?
    var isTrusted: Bool?
    var batteryLevel: Int?
    var activeInstances: Int?
    var supportedInstances: Int?
    var maximumLength: Int?
    var maximumScanResponseLength: Int?
    var secondaryChannels: [String]?
    var minimumTxPower: Int?
    var maximumTxPower: Int?
    var features: [String]?

    init(_ event: String) {
        self.event = event
    }

    /// ISO 8601, in UTC.
    static func text(_ time: Date) -> String {
        time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    @BluetoothActor init(_ event: String, _ peripheral: Peripheral) {
        self.init(event)
        adapter = peripheral.central?.adapter?.identifier
        device = peripheral.address?.description
        deviceName = peripheral.name
    }

    @BluetoothActor init(_ event: String, _ service: Service) {
        self.init(event)
        if let peripheral = service.peripheral { self = Record(event, peripheral) }
        self.service = service.uuid.description
        serviceName = service.uuid.name
    }

    @BluetoothActor init(_ event: String, _ characteristic: Characteristic) {
        self.init(event)
        if let service = characteristic.service { self = Record(event, service) }
        self.characteristic = characteristic.uuid.description
        characteristicName = characteristic.uuid.name
        handle = characteristic.handle
    }
}

extension Record {
    /// Adds what a value means.
    mutating func setMeaning(_ known: ReadableValue?) {
        decoded = known?.decoded
        unit = known?.unit
        units = known?.units
        reason = known?.reason
        reasons = known?.reasons
    }
}

extension JSONValue {
    /// The text for users and scripts, in one line.
    var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .number(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .null: "null"
        case .list(let values): values.map(\.text).joined(separator: " ")
        case .object(let fields):
            fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }.joined(separator: " ")
        }
    }
}
