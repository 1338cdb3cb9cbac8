import BlueZClient
import BlueZDBus
import FoundationEssentials

/// A descriptor of a ``LocalCharacteristic``.
///
/// BlueZ adds the descriptors of client configurations (0x2902) and extended properties (0x2900) itself.
@BluetoothActor open class LocalDescriptor: LocalAttribute {
    static let interface = BlueZ.gattDescriptor

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
