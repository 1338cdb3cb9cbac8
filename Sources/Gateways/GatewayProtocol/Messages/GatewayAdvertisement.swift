import BlueZPrintableText
import BlueZValues

/// An advertisement that a gateway has received.
///
/// The keys up to `txpower` are those that OpenMQTTGateway publishes and TheengsDecoder reads. They contain the data of
/// one manufacturer and one service; `advertisement` contains everything.
package struct GatewayAdvertisement: GatewayMessage {
    package static let limit = GatewayLimits.report

    package var version = Topics.version
    /// The gateway's instance.
    package var instance: Identifier
    package var device: BluetoothAddress
    package var kind: BluetoothAddress.Kind
    /// In dBm.
    package var rssi: Int?
    package var data: AdvertisementData

    package init(
        instance: Identifier, device: BluetoothAddress, kind: BluetoothAddress.Kind, rssi: Int?, data: AdvertisementData
    ) {
        self.instance = instance
        self.device = device
        self.kind = kind
        self.rssi = rssi
        self.data = data
    }
}

extension GatewayAdvertisement {
    private enum CodingKeys: String, CodingKey {
        case version, instance, id, rssi, name, advertisement
        case kind = "mac_type"
        case manufacturerData = "manufacturerdata"
        case serviceData = "servicedata"
        case serviceDataUUID = "servicedatauuid"
        case txPower = "txpower"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        instance = try container.decode(Identifier.self, forKey: .instance)
        device = try container.decode(BluetoothAddress.self, forKey: .id)
        switch try container.decode(Int.self, forKey: .kind) {
        case 0: kind = .public
        case 1: kind = .random
        default: throw container.corrupted(.kind, "0 or 1 is expected")
        }
        rssi = try container.decodeIfPresent(Int.self, forKey: .rssi)
        // HCI reports -127 dBm to 20 dBm (Core Specification, Vol 4, Part E, 7.7.65.2).
        guard rssi.map({ (-127...20).contains($0) }) ?? true else { throw container.corrupted(.rssi, "out of range") }
        guard let structures = try container.bytes(.advertisement, limit: GatewayLimits.advertisement),
            let data = AdvertisementData(encoded: structures)
        else { throw container.corrupted(.advertisement, "AD structures are expected") }
        self.data = data
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(instance, forKey: .instance)
        try container.encode(device, forKey: .id)
        try container.encode(kind == .public ? 0 : 1, forKey: .kind)
        try container.encodeIfPresent(rssi, forKey: .rssi)
        try container.encodeIfPresent(data.localName, forKey: .name)
        // Sensors that are also iBeacons have their values in the data of a company other than Apple.
        let companies = data.manufacturerData.keys.sorted().sorted { $0 != 0x004C && $1 == 0x004C }
        if let company = companies.first, let content = data.manufacturerData[company] {
            let bytes = [UInt8(truncatingIfNeeded: company), UInt8(company >> 8)] + content
            try container.encode(Hexadecimal(bytes), forKey: .manufacturerData)
        }
        if let (uuid, content) = data.serviceData.min(by: { $0.key < $1.key }) {
            let text =
                uuid.short32.map { "0x" + String(hexadecimal: $0, digits: $0 <= 0xFFFF ? 4 : 8) } ?? uuid.fullString
            try container.encode(text, forKey: .serviceDataUUID)
            try container.encode(Hexadecimal([UInt8](content)), forKey: .serviceData)
        }
        try container.encodeIfPresent(data.txPowerLevel, forKey: .txPower)
        try container.encode(Hexadecimal(data.encoded), forKey: .advertisement)
    }
}
