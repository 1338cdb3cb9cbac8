import DBus
import PrintableText

/// A `GattDescriptor1` object of bluetoothd, after src/gatt-client.c.
@SimulatorActor final class RemoteDescriptor: RemoteAttribute {
    private static let interface = "org.bluez.GattDescriptor1"

    private let descriptor: SimulatedDescriptor
    private let path: ObjectPath
    private let server: ObjectServer
    private weak var owner: RemoteCharacteristic?
    private let ownerPath: ObjectPath
    var cached = CachedValue()
    var readOperation: PendingOperation?
    private var writeOperation: PendingOperation?

    init(_ descriptor: SimulatedDescriptor, of characteristic: RemoteCharacteristic) throws(DBusError) {
        self.descriptor = descriptor
        owner = characteristic
        ownerPath = characteristic.path
        server = characteristic.server
        path = try characteristic.path.appending("desc" + String(hexadecimal: descriptor.handle, digits: 4))
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
                    .init("UUID", "s") { [weak self] in self.map { .string($0.descriptor.uuid.string) } },
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

    var link: Link? { owner?.link }
    var faults: AttributeFaults { descriptor.faults }

    var reading: Link.Work? {
        guard let characteristic = owner?.characteristic else { return nil }
        return { [descriptor] peripheral, completion in
            peripheral.use(descriptor, of: characteristic, writing: nil, completion: completion)
        }
    }

    func valueWasRead() { server.changed("Value", of: Self.interface, at: path) }

    private func writeValue(_ call: IncomingCall) {
        guard let owner, let link = owner.link else {
            return call.fail(BlueZError.failed("Not connected"))
        }
        guard writeOperation == nil else { return call.fail(BlueZError.inProgress) }
        var reader = call.reader
        guard let value = try? reader.readBytes(), let options = try? AttributeOptions(&reader) else {
            return call.fail(BlueZError.invalidArguments)
        }
        guard descriptor.uuid != .clientConfiguration else {
            return call.fail(BlueZError.notPermitted("Write not permitted"))
        }
        let operation = PendingOperation(call)
        writeOperation = operation
        let offset = Int(options.offset)
        let descriptor = descriptor
        let characteristic = owner.characteristic
        operation.request = link.request { peripheral, completion in
            guard offset <= descriptor.value.count else { return completion(.failure(.invalidOffset)) }
            let whole = Array(descriptor.value.prefix(offset)) + value
            peripheral.use(descriptor, of: characteristic, writing: whole, completion: completion)
        } completion: { [weak self] result in
            guard let self else { return operation.cancel() }
            if self.writeOperation === operation { self.writeOperation = nil }
            let answer: Result<[UInt8]?, DBusError> = result.map { _ in nil }.mapError(BlueZError.att)
            operation.finish(self.descriptor.faults, answer)
        }
    }
}
