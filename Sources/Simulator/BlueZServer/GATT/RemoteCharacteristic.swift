import BlueZDBus
import BlueZPrintableText
import BlueZValues

/// A `GattCharacteristic1` object of bluetoothd, modelled on src/gatt-client.c.
@BlueZServerActor package final class RemoteCharacteristic: BusObject {
    static let interface = BlueZInterface.gattCharacteristic.description

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

    /// The link, if bluetoothd has a GATT client on it.
    var link: (any RadioLink)? { device?.link }
    var handle: UInt16 { description.handle }
    var ignoresOffsets: Bool { device?.adapter?.isBefore560 ?? false }
    package var uuid: BluetoothUUID { description.uuid }

    func export() {
        register(
            methods: [
                method("ReadValue", input: "a{sv}", output: "ay") { $0.readValue($1) },
                method("WriteValue", input: "aya{sv}") { $0.writeValue($1) },
                method("AcquireWrite", input: "a{sv}", output: "hq") { $0.acquireWrite($1) },
                method("AcquireNotify", input: "a{sv}", output: "hq") { $0.acquireNotify($1) },
                method("StartNotify") { $0.startNotify($1) },
                method("StopNotify") { $0.stopNotify($1) },
            ],
            properties: [
                property("UUID", "s") { .string($0.uuid.fullString) },
                property("Service", "o") { .objectPath($0.servicePath) },
                property("Value", "ay") { .bytes($0.cached.bytes) },
                property("Notifying", "b") { $0.canNotify ? .boolean($0.isNotifying) : nil },
                property("Flags", "as") { .strings($0.description.properties.names) },
                property("WriteAcquired", "b") {
                    $0.has(.writeWithoutResponse) ? .boolean($0.writeSocket != nil) : nil
                },
                property("NotifyAcquired", "b") { $0.has(.notify) ? .boolean($0.notifySocket != nil) : nil },
                property("MTU", "q") { $0.ignoresOffsets ? nil : $0.link.map { .uint16(UInt16($0.mtu)) } },
            ]
        )
        for descriptor in descriptors { descriptor.export() }
    }

    /// unregister_characteristic(): pending operations are cancelled without a reply.
    func unregister() {
        cancelOperations()
        for descriptor in descriptors { descriptor.unregister() }
        server.unregister(Self.interface, at: path)
        sessions.forEach { $0.drop() }
        sessions.removeAll()
        closeSockets()
    }

    func has(_ property: CharacteristicProperties) -> Bool { description.properties.contains(property) }

    var canNotify: Bool { has(.notify) || has(.indicate) }
}
