import BlueZDBus
import BlueZValues

/// An object of an application, with its properties as bluetoothd knows them (gdbus/client.c: GDBusProxy).
@BlueZServerActor final class ApplicationObject {
    static let service = BlueZInterface.gattService.description
    static let characteristic = BlueZInterface.gattCharacteristic.description
    static let descriptor = BlueZInterface.gattDescriptor.description
    static let profile = BlueZInterface.gattProfile.description

    /// The time for a reply (gdbus/client.c: METHOD_CALL_TIMEOUT). The central gets its response earlier.
    private static let timeout = Duration.seconds(300)

    let object: ClientObject
    var properties: [String: Value]

    init(_ object: ClientObject, _ properties: [String: Value]) {
        self.object = object
        self.properties = properties
    }

    var path: ObjectPath { object.path }
    var interface: String { object.interface }

    func call(_ member: String, _ arguments: [Value] = [], reply: @escaping CallReply = { _ in }) {
        object.call(member, arguments, timeout: Self.timeout, reply: reply)
    }

    /// parse_uuid(): nil if there is none, or it is one of bluetoothd's own services.
    var uuid: BluetoothUUID? {
        guard case .string(let text)? = properties["UUID"], let uuid = BluetoothUUID(bluez: text),
            uuid != .genericAccess, uuid != .genericAttribute
        else { return nil }
        return uuid
    }

    /// parse_handle(): 0 if there is no such property, nil if it has the wrong type.
    var handle: UInt16? {
        guard let value = properties["Handle"] else { return 0 }
        guard case .uint16(let handle) = value else { return nil }
        return handle
    }

    /// parse_path()
    func path(_ name: String) -> ObjectPath? {
        guard case .objectPath(let path)? = properties[name] else { return nil }
        return path
    }

    /// write_handle(): sets the property, if there is one.
    func set(handle: UInt16) {
        guard properties["Handle"] != nil else { return }
        let properties = ClientObject(
            owner: object.owner, path: path, interface: StandardInterface.properties, server: object.server)
        properties.call(
            "Set", [.string(interface), .string("Handle"), .variant(.uint16(handle))], timeout: Self.timeout
        ) { _ in }
    }
}
