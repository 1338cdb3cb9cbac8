import DBus

/// The object that bluetoothd asks while a device is paired (doc/org.bluez.Agent.rst). Without one registered, `Pair`
/// fails even where nobody would be asked anything. It is registered while something is paired only, says yes for
/// those devices where there is nothing to compare or type, and no to everything else.
@BluetoothActor final class PairingAgent {
    private weak var client: BlueZClient?
    private var devices: [ObjectPath: Int] = [:]
    private var exportedOn: ObjectIdentifier?

    private static let manager = "org.bluez.AgentManager1"
    private static let interface = "org.bluez.Agent1"
    private static let managerPath = "/org/bluez"
    private static let ownPath = "/org/corebluez/agent"

    init(_ client: BlueZClient) {
        self.client = client
    }

    /// Registers the agent, where it is not yet, for pairing a device.
    func begin(_ device: ObjectPath, _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        devices[device, default: 0] += 1
        do throws(DBusError) {
            let path = try export()
            client?.call(
                try ObjectPath(Self.managerPath), Self.manager, "RegisterAgent", deadline: Deadline.discovery
            ) { (writer) throws(DBusError) in
                try writer.append(.objectPath(path))
                try writer.append(.string("NoInputNoOutput"))
            } reply: { result in
                switch result {
                case .success: completion(nil)
                case .failure(let error) where error.name == "org.bluez.Error.AlreadyExists": completion(nil)
                case .failure(let error): completion(BluetoothError(error, in: .other, "Registering for pairing"))
                }
            }
        } catch {
            completion(BluetoothError(error, in: .other, "Registering for pairing"))
        }
    }

    /// Takes the agent back with the last pairing.
    func end(_ device: ObjectPath) {
        guard let count = devices[device] else { return }
        devices[device] = count > 1 ? count - 1 : nil
        guard devices.isEmpty, let path = try? ObjectPath(Self.ownPath),
            let manager = try? ObjectPath(Self.managerPath)
        else { return }
        client?.call(manager, Self.manager, "UnregisterAgent", deadline: Deadline.discovery) {
            (writer) throws(DBusError) in
            try writer.append(.objectPath(path))
        } reply: { _ in
        }
    }

    private func export() throws(DBusError) -> ObjectPath {
        let path = try ObjectPath(Self.ownPath)
        guard let connection = client?.connection else { throw .disconnected() }
        guard exportedOn != ObjectIdentifier(connection) else { return path }
        exportedOn = ObjectIdentifier(connection)
        let rejected = { (call: IncomingCall) in
            call.fail("org.bluez.Error.Rejected", "This program cannot ask anybody")
        }
        let authorize = { [weak self] (call: IncomingCall) in
            var reader = call.reader
            guard call.sender == self?.client?.owner, let device = try? reader.readObjectPath(),
                self?.devices[device] != nil
            else { return rejected(call) }
            call.reply()
        }
        connection.export(
            ExportedInterface(
                Self.interface,
                methods: [
                    .init("Release") { $0.reply() },
                    .init("RequestPinCode", input: "o", output: "s", handler: rejected),
                    .init("DisplayPinCode", input: "os", handler: rejected),
                    .init("RequestPasskey", input: "o", output: "u", handler: rejected),
                    .init("DisplayPasskey", input: "ouq", handler: rejected),
                    .init("RequestConfirmation", input: "ou", handler: rejected),
                    .init("RequestAuthorization", input: "o", handler: authorize),
                    .init("AuthorizeService", input: "os", handler: rejected),
                    .init("Cancel") { $0.reply() },
                ]
            ),
            at: path
        )
        return path
    }
}
