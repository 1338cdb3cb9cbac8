import BlueZJSONLine
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
    package init() {
        self.init(instance: .unread, device: .unread, kind: .public, rssi: nil, data: AdvertisementData())
    }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("version", required: &version, .number())
        keys.add("instance", required: &instance, .identifier)
        keys.add("id", required: &device, .address)
        keys.add("mac_type", required: &kind, .number)
        // HCI reports -127 dBm to 20 dBm (Core Specification, Vol 4, Part E, 7.7.65.2).
        keys.add("rssi", &rssi, .number(from: -127, to: 20))
        keys.write("name", data.localName, .text)
        // Sensors that are also iBeacons have their values in the data of a company other than Apple.
        let companies = data.manufacturerData.keys.sorted().sorted { $0 != 0x004C && $1 == 0x004C }
        if let company = companies.first, let content = data.manufacturerData[company] {
            let bytes = [UInt8(truncatingIfNeeded: company), UInt8(company >> 8)] + content
            keys.write("manufacturerdata", String(hexadecimal: bytes), .text)
        }
        if let (uuid, content) = data.serviceData.min(by: { $0.key < $1.key }) {
            let text =
                uuid.short32.map { "0x" + String(hexadecimal: $0, digits: $0 <= 0xFFFF ? 4 : 8) } ?? uuid.fullString
            keys.write("servicedatauuid", text, .text)
            keys.write("servicedata", String(hexadecimal: content), .text)
        }
        keys.write("txpower", data.txPowerLevel, .number())
        keys.add("advertisement", required: &data, .structures)
    }
}

extension JSONField<BluetoothAddress.Kind> {
    /// 0 or 1.
    fileprivate static var number: JSONField {
        let number = JSONField<Int>.number(from: 0, to: 1)
        return JSONField { node throws(FileError) in
            try number.read(node) == 0 ? .public : .random
        } write: { kind, output in
            number.write(kind == .public ? 0 : 1, &output)
        }
    }
}

extension JSONField<AdvertisementData> {
    /// AD structures.
    fileprivate static var structures: JSONField {
        let bytes = JSONField<[UInt8]>.bytes(limit: GatewayLimits.advertisement)
        return JSONField { node throws(FileError) in
            guard let data = AdvertisementData(encoded: try bytes.read(node)) else {
                throw node.error(wanted: "AD structures")
            }
            return data
        } write: { data, output in
            bytes.write(data.encoded, &output)
        }
    }
}
