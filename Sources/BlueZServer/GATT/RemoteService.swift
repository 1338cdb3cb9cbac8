import BluetoothValues
import DBus
import PrintableText

/// A `GattService1` object of bluetoothd, after src/gatt-client.c.
@BlueZServerActor package final class RemoteService {
    private static let interface = "org.bluez.GattService1"

    private(set) var description: ServiceDescription
    /// Whether it ever included a service.
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
        server.register(
            ExportedInterface(
                Self.interface,
                properties: [
                    .init("UUID", "s") { [weak self] in self.map { .string($0.description.uuid.fullString) } },
                    .init("Device", "o") { [weak self] in self.map { .objectPath($0.devicePath) } },
                    .init("Primary", "b") { [weak self] in self.map { .boolean($0.description.isPrimary) } },
                    .init("Includes", "ao") { [weak self] in
                        self.map { .array(elements: "o", $0.included.map { .objectPath($0) }) }
                    },
                ]
            ),
            at: path
        )
        for characteristic in characteristics { characteristic.export() }
    }

    /// update_included_services(): the included objects that exist.
    private var included: [ObjectPath] {
        guard let device else { return [] }
        return description.includes.compactMap { handle in
            device.services.first { $0.description.handle == handle }?.path
        }
    }

    func include(_ handles: [UInt16]) {
        description.includes = handles
        hasIncludes = hasIncludes || !handles.isEmpty
    }

    /// Services that this one may include were added or removed.
    func includesChanged() {
        if hasIncludes { server.changed("Includes", of: Self.interface, at: path) }
    }

    func unregister() {
        for characteristic in characteristics { characteristic.unregister() }
        server.unregister(Self.interface, at: path)
    }

    func disconnected() {
        for characteristic in characteristics { characteristic.disconnected() }
    }
}
