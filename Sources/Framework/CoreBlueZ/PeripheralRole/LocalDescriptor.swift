import BlueZClient
import BlueZDBus
import FoundationEssentials

/// A descriptor of a ``LocalCharacteristic``.
///
/// BlueZ adds the descriptors of client configurations (0x2902) and extended properties (0x2900) itself.
@BluetoothActor open class LocalDescriptor: LocalAttribute {
    static let interface = "org.bluez.GattDescriptor1"

    /// The characteristic of the descriptor; nil if it was released.
    public internal(set) weak var characteristic: LocalCharacteristic?

    /// Creates a descriptor.
    ///
    /// - Parameters:
    ///   - uuid: the kind of descriptor, such as 0x2901, the user description.
    ///   - permissions: what a central may do; by default, read.
    ///   - value: the value that reads return if there is no handler.
    public override init(_ uuid: BluetoothUUID, permissions: AttributePermissions = .read, value: Data = Data()) {
        super.init(uuid, permissions: permissions, value: value)
    }

    func exported(below characteristic: ObjectPath) -> ExportedInterface {
        ExportedInterface(
            Self.interface,
            methods: requestMethods,
            properties: [
                .init("UUID", "s", get: { [uuid] in .string(uuid.fullString) }),
                .init("Characteristic", "o", get: { .objectPath(characteristic) }),
                .init("Flags", "as", get: { [permissions] in .strings(permissions.flags([])) }),
                handleProperty,
            ]
        )
    }
}

extension LocalAttribute {
    /// The methods with which bluetoothd passes on reads and writes.
    var requestMethods: [ExportedInterface.Method] {
        [
            .init("ReadValue", input: "a{sv}", output: "ay") { [weak self] call in
                self?.ifFromDaemon(call) { attribute, call in attribute.receiveRead(call) }
            },
            .init("WriteValue", input: "aya{sv}") { [weak self] call in
                self?.ifFromDaemon(call) { attribute, call in attribute.receiveWrite(call) }
            },
        ]
    }

    /// Handles a call, unless it comes from another program: every program on the bus can call.
    func ifFromDaemon(_ call: IncomingCall, _ body: (LocalAttribute, IncomingCall) -> Void) {
        guard let owner = manager?.client.owner, call.sender == owner else {
            return call.fail(DBusError.Name.accessDenied, "Only bluetoothd may call this object")
        }
        body(self, call)
    }

    /// The property in which bluetoothd stores the handle that it has chosen (src/gatt-database.c: write_handle).
    var handleProperty: ExportedInterface.Property {
        .init(
            "Handle", "q",
            get: { [weak self] in .uint16(self?.requestedHandle ?? 0) },
            set: { [weak self] value, call in
                guard let self, call.sender == self.manager?.client.owner, case .uint16(let handle) = value else {
                    return call.fail(DBusError.Name.accessDenied, "Only bluetoothd may set this property")
                }
                self.handle = handle
                call.reply()
            }
        )
    }
}
