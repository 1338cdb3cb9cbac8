import BlueZDBus
import BlueZValues

/// The `Battery1` interface of a device that has the battery service.
@BlueZServerActor final class Battery: BusObject {
    static let interface = BlueZInterface.battery.description
    private var level: UInt8
    let path: ObjectPath
    let server: ObjectServer

    init(level: UInt8, device: Device) {
        self.level = level
        path = device.path
        server = device.server
        var properties = [property("Percentage", "y") { $0.level <= 100 ? .byte($0.level) : nil }]
        if device.adapter?.isExperimental == true {
            properties.append(property("Source", "s") { _ in .string("GATT Battery Service") })
        }
        register(properties: properties)
    }

    func update(_ new: UInt8) {
        if new <= 100 { set("Percentage", \.level, new) }
    }

    func unregister() {
        server.unregister(Self.interface, at: path)
    }
}
