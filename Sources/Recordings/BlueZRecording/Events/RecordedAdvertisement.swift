import BlueZJSONLine
import BlueZPrintableText
import BlueZValues
import FoundationEssentials

/// `heard`: what a device has advertised so far, at a report.
package struct RecordedAdvertisement: Equatable, Sendable, RecordedDeviceFields {
    static let name = "heard"
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

    package init() { self.init(device: .unread, addressType: .public) }

    var content: RecordedEvent.Content { .heard(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", required: &device, .address)
        keys.add("addressType", required: &addressType, .addressType)
        keys.add("rssi", &rssi, .signalStrength)
        rssi = rssi.flatMap { AdvertisementData.signalStrength(reported: $0) }
        keys.add("connectable", &connectable, .flag)
        keys.add("flags", &data.flags, .data)
        keys.add("name", &data.localName, .text)
        keys.add("services", &data.serviceUUIDs, unless: [], .list(.uuid))
        keys.add("manufacturer", &data.manufacturerData, unless: [:], .numberedBytes())
        keys.add(
            "serviceData", &data.serviceData, unless: [:],
            .dictionary("a UUID", of: .data, key: \.description) { BluetoothUUID($0) })
        keys.add("txPower", &data.txPowerLevel, .number(from: -128, to: 127))
        keys.add("appearance", &data.appearance, .number())
        keys.add("structures", &data.structures, unless: [:], .numberedBytes())
    }
}
