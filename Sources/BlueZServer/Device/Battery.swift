import DBus

/// The `Battery1` interface of a device that has the battery service.
@BlueZServerActor final class Battery {
    private static let interface = "org.bluez.Battery1"
    private var level: UInt8
    private let path: ObjectPath
    private let server: ObjectServer

    init(level: UInt8, device: Device) {
        self.level = level
        path = device.path
        server = device.server
        var properties: [ExportedInterface.Property] = [
            .init("Percentage", "y") { [weak self] in self.flatMap { $0.level <= 100 ? .byte($0.level) : nil } }
        ]
        if device.adapter?.isExperimental == true {
            properties.append(.init("Source", "s") { .string("GATT Battery Service") })
        }
        server.register(ExportedInterface(Self.interface, properties: properties), at: path)
    }

    func update(_ new: UInt8) {
        guard new != level, new <= 100 else { return }
        level = new
        server.changed("Percentage", of: Self.interface, at: path)
    }

    func unregister() {
        server.unregister(Self.interface, at: path)
    }
}
