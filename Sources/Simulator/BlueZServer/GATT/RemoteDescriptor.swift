import BlueZDBus
import BlueZPrintableText
import BlueZValues

/// A `GattDescriptor1` object of bluetoothd, modelled on src/gatt-client.c.
@BlueZServerActor final class RemoteDescriptor: BusObject, RemoteAttribute {
    static let interface = BlueZInterface.gattDescriptor.description

    private let description: DescriptorDescription
    let path: ObjectPath
    let server: ObjectServer
    private weak var owner: RemoteCharacteristic?
    private let ownerPath: ObjectPath
    var cached = CachedValue()
    var readOperation: PendingOperation?
    var writeOperation: PendingOperation?

    init(_ description: DescriptorDescription, of characteristic: RemoteCharacteristic) throws(DBusError) {
        self.description = description
        owner = characteristic
        ownerPath = characteristic.path
        server = characteristic.server
        path = try characteristic.path.appending("desc" + String(hexadecimal: description.handle, digits: 4))
    }

    func export() {
        register(
            methods: [
                method("ReadValue", input: "a{sv}", output: "ay") { $0.readValue($1) },
                method("WriteValue", input: "aya{sv}") { $0.writeValue($1) },
            ],
            properties: [
                property("UUID", "s") { .string($0.description.uuid.fullString) },
                property("Characteristic", "o") { .objectPath($0.ownerPath) },
                property("Value", "ay") { .bytes($0.cached.bytes) },
            ]
        )
    }

    func unregister() {
        cancelOperations()
        server.unregister(Self.interface, at: path)
    }

    var link: (any RadioLink)? { owner?.link }
    var handle: UInt16 { description.handle }
    var ignoresOffsets: Bool { owner?.ignoresOffsets ?? false }

    func reportValue() { changed("Value") }

    private func writeValue(_ call: IncomingCall) {
        guard let link else { return call.fail(BlueZError.failed("Not connected")) }
        guard writeOperation == nil else { return call.fail(BlueZError.inProgress) }
        var reader = call.reader
        guard let value = try? reader.readBytes(), let options = try? AttributeOptions(&reader) else {
            return call.fail(BlueZError.invalidArguments)
        }
        guard description.uuid != .clientConfiguration else {
            return call.fail(BlueZError.notPermitted("Write not permitted"))
        }
        write(value, .request, offset: options.offset, call, link)
    }
}
