import BlueZJSONLine
import BlueZValues

/// `device`: properties of a device that bluetoothd has reported.
package struct RecordedDevice: Equatable, Sendable, RecordedFields {
    let name = "device"
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

    init(_ fields: EventFields) throws(FileError) {
        device = try fields.required("device", fields.address("device"))
        deviceName = try fields.text("name")
        alias = try fields.text("alias")
        icon = try fields.text("icon")
        appearance = try fields.handle("appearance")
        services = try fields.uuids("services")
        rssi = try fields.signalStrength("rssi")
        paired = try fields.flag("paired")
        bonded = try fields.flag("bonded")
        trusted = try fields.flag("trusted")
        blocked = try fields.flag("blocked")
        connected = try fields.flag("connected")
        resolved = try fields.flag("resolved")
        removed = try fields.flag("removed")
    }

    func write(to line: inout EventLine) {
        line.add("device", device.description)
        line.add("name", deviceName)
        line.add("alias", alias)
        line.add("icon", icon)
        line.add("appearance", appearance.map { Int64($0) })
        line.add("services", services) { uuid, line in line.append(uuid.description) }
        line.add("rssi", rssi.map { Int64($0) })
        line.add("paired", paired)
        line.add("bonded", bonded)
        line.add("trusted", trusted)
        line.add("blocked", blocked)
        line.add("connected", connected)
        line.add("resolved", resolved)
        line.add("removed", removed)
    }
}
