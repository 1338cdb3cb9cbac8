import BlueZJSONLine
import BlueZValues

/// `device`: properties of a device that bluetoothd has reported.
package struct RecordedDevice: Equatable, Sendable, RecordedDeviceFields {
    static let name = "device"
    package var device: BluetoothAddress
    /// The property Name.
    package var deviceName: String?
    package var alias: String?
    package var icon: String?
    package var appearance: UInt16?
    /// The property UUIDs.
    package var services: [BluetoothUUID]?
    package var rssi: Int?
    package var paired: Bool?
    package var bonded: Bool?
    package var trusted: Bool?
    package var blocked: Bool?
    package var connected: Bool?
    /// The property ServicesResolved.
    package var resolved: Bool?
    /// Whether the device is gone.
    package var removed: Bool?

    package init(device: BluetoothAddress) {
        self.device = device
    }

    package init() { self.init(device: .unread) }

    var content: RecordedEvent.Content { .device(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", required: &device, .address)
        keys.add("name", &deviceName, .text)
        keys.add("alias", &alias, .text)
        keys.add("icon", &icon, .text)
        keys.add("appearance", &appearance, .number())
        keys.add("services", &services, .list(.uuid))
        keys.add("rssi", &rssi, .signalStrength)
        rssi = rssi.flatMap { AdvertisementData.signalStrength(reported: $0) }
        keys.add("paired", &paired, .flag)
        keys.add("bonded", &bonded, .flag)
        keys.add("trusted", &trusted, .flag)
        keys.add("blocked", &blocked, .flag)
        keys.add("connected", &connected, .flag)
        keys.add("resolved", &resolved, .flag)
        keys.add("removed", &removed, .flag)
    }
}
