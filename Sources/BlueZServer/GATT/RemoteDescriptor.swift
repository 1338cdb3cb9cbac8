import BluetoothValues
import DBus
import PrintableText

/// A `GattDescriptor1` object of bluetoothd, after src/gatt-client.c.
@BlueZServerActor final class RemoteDescriptor: RemoteAttribute {
    private static let interface = "org.bluez.GattDescriptor1"

    private let description: DescriptorDescription
    private let path: ObjectPath
    private let server: ObjectServer
    private weak var owner: RemoteCharacteristic?
    private let ownerPath: ObjectPath
    var cached = CachedValue()
    var readOperation: PendingOperation?
    private var writeOperation: PendingOperation?

    init(_ description: DescriptorDescription, of characteristic: RemoteCharacteristic) throws(DBusError) {
        self.description = description
        owner = characteristic
        ownerPath = characteristic.path
        server = characteristic.server
        path = try characteristic.path.appending("desc" + String(hexadecimal: description.handle, digits: 4))
    }

    func export() {
        server.register(
            ExportedInterface(
                Self.interface,
                methods: [
                    .init("ReadValue", input: "a{sv}", output: "ay") { [weak self] call in self?.readValue(call) },
                    .init("WriteValue", input: "aya{sv}") { [weak self] call in self?.writeValue(call) },
                ],
                properties: [
                    .init("UUID", "s") { [weak self] in self.map { .string($0.description.uuid.fullString) } },
                    .init("Characteristic", "o") { [weak self] in self.map { .objectPath($0.ownerPath) } },
                    .init("Value", "ay") { [weak self] in self.map { .bytes($0.cached.bytes) } },
                ]
            ),
            at: path
        )
    }

    func unregister() {
        readOperation?.cancel()
        writeOperation?.cancel()
        readOperation = nil
        writeOperation = nil
        server.unregister(Self.interface, at: path)
    }

    var link: (any RadioLink)? { owner?.link }
    var handle: UInt16 { description.handle }
    var ignoresOffsets: Bool { owner?.ignoresOffsets ?? false }

    func valueWasRead() { server.changed("Value", of: Self.interface, at: path) }

    private func writeValue(_ call: IncomingCall) {
        guard let link else {
            return call.fail(BlueZError.failed("Not connected"))
        }
        guard writeOperation == nil else { return call.fail(BlueZError.inProgress) }
        var reader = call.reader
        guard let value = try? reader.readBytes(), let options = try? AttributeOptions(&reader) else {
            return call.fail(BlueZError.invalidArguments)
        }
        guard description.uuid != .clientConfiguration else {
            return call.fail(BlueZError.notPermitted("Write not permitted"))
        }
        let operation = PendingOperation(call)
        writeOperation = operation
        operation.request = link.write(value, to: handle, kind: .request, offset: options.offset) {
            [weak self, weak link] result in
            guard let self else { return operation.cancel() }
            if self.writeOperation === operation { self.writeOperation = nil }
            let reply: Result<[UInt8]?, DBusError> = result.map { _ in nil }.mapError(BlueZError.link)
            operation.finish(link?.callFault(of: self.handle) ?? .none, reply)
        }
    }
}
