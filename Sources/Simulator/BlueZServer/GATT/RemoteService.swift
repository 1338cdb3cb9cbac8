import BlueZDBus
import BlueZPrintableText
import BlueZValues

/// A `GattService1` object of bluetoothd, modelled on src/gatt-client.c.
@BlueZServerActor package final class RemoteService: BusObject {
    static let interface = BlueZInterface.gattService.description

    private(set) var description: ServiceDescription
    /// Whether the service has ever included another one.
    private var hasIncludes: Bool
    let path: ObjectPath
    let server: ObjectServer
    private(set) weak var device: Device?
    private let devicePath: ObjectPath
    package private(set) var characteristics: [RemoteCharacteristic] = []

    init(_ description: ServiceDescription, of device: Device) throws(DBusError) {
        self.description = description
        hasIncludes = !description.includes.isEmpty
        self.device = device
        server = device.server
        devicePath = device.path
        path = try device.path.appending("service" + String(hexadecimal: description.handle, digits: 4))
        for characteristic in description.characteristics {
            characteristics.append(try RemoteCharacteristic(characteristic, of: self))
        }
    }

    func export() {
        register(properties: [
            property("UUID", "s") { .string($0.description.uuid.fullString) },
            property("Device", "o") { .objectPath($0.devicePath) },
            property("Primary", "b") { .boolean($0.description.isPrimary) },
            property("Includes", "ao") { .array(elements: "o", $0.included.map { .objectPath($0) }) },
        ])
        for characteristic in characteristics { characteristic.export() }
    }

    /// update_included_services(): the included objects that exist.
    private var included: [ObjectPath] {
        guard let device else { return [] }
        return description.includes.compactMap { included in
            device.services.first { $0.description.handle == included.handle }?.path
        }
    }

    func include(_ services: [IncludedService]) {
        description.includes = services
        hasIncludes = hasIncludes || !services.isEmpty
    }

    /// Handles the addition or removal of services that this one may include.
    func includesChanged() {
        if hasIncludes { changed("Includes") }
    }

    func unregister() {
        for characteristic in characteristics { characteristic.unregister() }
        server.unregister(Self.interface, at: path)
    }

    func disconnected() {
        for characteristic in characteristics { characteristic.disconnected() }
    }
}
