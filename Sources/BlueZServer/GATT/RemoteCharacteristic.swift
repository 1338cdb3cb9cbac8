import BluetoothValues
import DBus
import PrintableText

/// A `GattCharacteristic1` object of bluetoothd, after src/gatt-client.c.
@BlueZServerActor package final class RemoteCharacteristic {
    static let interface = "org.bluez.GattCharacteristic1"

    let description: CharacteristicDescription
    let path: ObjectPath
    let servicePath: ObjectPath
    let server: ObjectServer
    private(set) weak var device: Device?
    private var descriptors: [RemoteDescriptor] = []

    var cached = CachedValue()
    var readOperation: PendingOperation?
    var writeOperation: PendingOperation?
    package internal(set) var sessions: [NotifySession] = []
    var isNotifying = false
    var notifySocket: AcquiredSocket?
    var writeSocket: AcquiredSocket?

    init(_ description: CharacteristicDescription, of service: RemoteService) throws(DBusError) {
        self.description = description
        device = service.device
        server = service.server
        servicePath = service.path
        path = try service.path.appending("char" + String(hexadecimal: description.handle, digits: 4))
        for descriptor in description.descriptors {
            descriptors.append(try RemoteDescriptor(descriptor, of: self))
        }
    }

    /// The link, while bluetoothd has a GATT client on it.
    var link: (any RadioLink)? { device?.link }
    var handle: UInt16 { description.handle }
    var ignoresOffsets: Bool { device?.adapter?.isBefore560 ?? false }
    package var uuid: BluetoothUUID { description.uuid }

    func changed(_ property: String, atOnce: Bool = false) {
        server.changed(property, of: Self.interface, at: path, atOnce: atOnce)
    }

    func export() {
        server.register(exportedInterface, at: path)
        for descriptor in descriptors { descriptor.export() }
    }

    /// unregister_characteristic(): pending operations are cancelled without a reply.
    func unregister() {
        readOperation?.cancel()
        readOperation = nil
        writeOperation?.cancel()
        writeOperation = nil
        for descriptor in descriptors { descriptor.unregister() }
        server.unregister(Self.interface, at: path)
        sessions.forEach { $0.drop() }
        sessions.removeAll()
        closeSockets()
    }

    private var exportedInterface: ExportedInterface {
        ExportedInterface(
            Self.interface,
            methods: [
                .init("ReadValue", input: "a{sv}", output: "ay") { [weak self] call in self?.readValue(call) },
                .init("WriteValue", input: "aya{sv}") { [weak self] call in self?.writeValue(call) },
                .init("AcquireWrite", input: "a{sv}", output: "hq") { [weak self] call in self?.acquireWrite(call) },
                .init("AcquireNotify", input: "a{sv}", output: "hq") { [weak self] call in self?.acquireNotify(call) },
                .init("StartNotify") { [weak self] call in self?.startNotify(call) },
                .init("StopNotify") { [weak self] call in self?.stopNotify(call) },
            ],
            properties: [
                .init("UUID", "s") { [weak self] in self.map { .string($0.uuid.fullString) } },
                .init("Service", "o") { [weak self] in self.map { .objectPath($0.servicePath) } },
                .init("Value", "ay") { [weak self] in self.map { .bytes($0.cached.bytes) } },
                .init("Notifying", "b") { [weak self] in
                    self.flatMap { $0.canNotify ? .boolean($0.isNotifying) : nil }
                },
                .init("Flags", "as") { [weak self] in self.map { .strings($0.description.flags) } },
                .init("WriteAcquired", "b") { [weak self] in
                    self.flatMap { $0.has(.writeWithoutResponse) ? .boolean($0.writeSocket != nil) : nil }
                },
                .init("NotifyAcquired", "b") { [weak self] in
                    self.flatMap { $0.has(.notify) ? .boolean($0.notifySocket != nil) : nil }
                },
                .init("MTU", "q") { [weak self] in
                    guard let self, !self.ignoresOffsets else { return nil }
                    return self.link.map { .uint16(UInt16($0.mtu)) }
                },
            ]
        )
    }

    func has(_ flag: CharacteristicDescription.Flag) -> Bool { description.has(flag) }

    var canNotify: Bool { has(.notify) || has(.indicate) }
}
