import BlueZJSONLine
import BlueZPrintableText
import BlueZValues
import FoundationEssentials

/// `heard`: what a device has advertised so far, at a report.
package struct RecordedAdvertisement: Equatable, Sendable, RecordedFields {
    let name = "heard"
    package var device: BluetoothAddress
    package var addressType: BluetoothAddress.Kind
    /// The signal strength in dBm.
    package var rssi: Int?
    package var connectable: Bool?
    /// The data of the report and of the scan response.
    package var data: AdvertisementData

    package init(
        device: BluetoothAddress, addressType: BluetoothAddress.Kind, rssi: Int? = nil, connectable: Bool? = nil,
        data: AdvertisementData = AdvertisementData()
    ) {
        self.device = device
        self.addressType = addressType
        self.rssi = rssi.flatMap { AdvertisementData.signalStrength(reported: $0) }
        self.connectable = connectable
        self.data = data
    }

    init(_ fields: EventFields) throws(FileError) {
        device = try fields.required("device", fields.address("device"))
        addressType = try fields.required("addressType", fields.addressType())
        rssi = try fields.signalStrength("rssi")
        connectable = try fields.flag("connectable")
        data = AdvertisementData()
        data.flags = try fields.bytes("flags").map { Data($0) }
        data.localName = try fields.text("name")
        data.serviceUUIDs = try fields.uuids("services") ?? []
        data.manufacturerData = try fields.numberedBytes("manufacturer", UInt16.self) ?? [:]
        data.serviceData =
            try fields.dictionary("serviceData", "\"serviceData\"") { key, fields throws(FileError) in
                guard let uuid = BluetoothUUID(key) else { throw fields.error(key, "must be a UUID") }
                return (uuid, Data(try fields.bytes(key) ?? []))
            } ?? [:]
        data.txPowerLevel = try fields.integer("txPower", -128...127).map { Int($0) }
        data.appearance = try fields.handle("appearance")
        data.structures = try fields.numberedBytes("structures", UInt8.self) ?? [:]
    }

    func write(to line: inout EventLine) {
        line.add("device", device.description)
        line.add("addressType", addressType.rawValue)
        line.add("rssi", rssi.map { Int64($0) })
        line.add("connectable", connectable)
        line.add("flags", bytes: data.flags)
        line.add("name", data.localName)
        if !data.serviceUUIDs.isEmpty {
            line.add("services", data.serviceUUIDs) { uuid, line in line.append(uuid.description) }
        }
        line.add("manufacturer", data.manufacturerData) { String(hexadecimal: $0, digits: 4, uppercase: true) }
        line.add("serviceData", data.serviceData) { $0.description }
        line.add("txPower", data.txPowerLevel.map { Int64($0) })
        line.add("appearance", data.appearance.map { Int64($0) })
        line.add("structures", data.structures) { String(hexadecimal: $0, digits: 2, uppercase: true) }
    }
}

extension EventLine {
    fileprivate mutating func add<Key: Comparable>(_ key: String, _ values: [Key: Data], _ name: (Key) -> String) {
        guard !values.isEmpty else { return }
        add(
            key,
            object: { line in
                for (key, value) in values.sorted(by: { $0.key < $1.key }) { line.add(name(key), bytes: value) }
            })
    }
}

extension EventFields {
    func addressType() throws(FileError) -> BluetoothAddress.Kind? {
        guard let text = try text("addressType") else { return nil }
        guard let kind = BluetoothAddress.Kind(rawValue: text) else {
            throw error("addressType", "must be public or random")
        }
        return kind
    }
}
