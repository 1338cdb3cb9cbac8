import CoreBlueZ

/// A UUID of a service, characteristic or descriptor, with 16, 32 or 128 bits. All forms of a UUID are equal.
open class CBUUID: NSObject, NSCopying {
    let value: BluetoothUUID

    init(_ value: BluetoothUUID) {
        self.value = value
    }

    /// Creates a UUID from its text: 4, 8 or 32 hexadecimal digits, the latter with hyphens.
    ///
    /// Text that is not a UUID stops the program.
    public convenience init(string theString: String) {
        guard theString.utf8.count != 32, let value = BluetoothUUID(theString) else {
            Misuse.stop("String \(theString) does not represent a valid UUID")
        }
        self.init(value)
    }

    /// Creates a UUID from 2, 4 or 16 bytes, the most significant first.
    ///
    /// Another number of bytes stops the program.
    public convenience init(data theData: Data) {
        let digits = String(hexadecimal: theData)
        guard let value = BluetoothUUID(digits) else {
            Misuse.stop("Data <\(digits)> does not represent a valid UUID")
        }
        self.init(value)
    }

    /// Creates a UUID from Foundation's.
    public convenience init(nsuuid theUUID: UUID) {
        self.init(string: theUUID.uuidString)
    }

    /// The UUID in its shortest form, in 2, 4 or 16 bytes, the most significant first.
    open var data: Data {
        guard let bytes = UUID(uuidString: value.fullString)?.uuid else { return Data() }
        let head = [bytes.0, bytes.1, bytes.2, bytes.3]
        if value.short != nil { return Data(head.suffix(2)) }
        let tail = [
            bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14,
            bytes.15,
        ]
        return Data(value.fullString.hasSuffix(Self.base) ? head : head + tail)
    }

    /// The UUID in its shortest form, as 4, 8 or 32 uppercase digits, the latter with hyphens.
    open var uuidString: String {
        if value.short == nil, value.fullString.hasSuffix(Self.base) {
            return value.fullString.prefix(8).uppercased()
        }
        return value.description
    }

    private static let base = "-0000-1000-8000-00805f9b34fb"

    /// Returns the same object, which does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the other object is the same UUID.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CBUUID)?.value == value
    }

    /// The hash value, which equal UUIDs have in common.
    open override var hash: Int { value.hashValue }

    /// The name that the Bluetooth SIG has assigned to the UUID, otherwise its text.
    open override var description: String { value.name ?? uuidString }
}

/// The UUID of the descriptor with a characteristic's extended properties.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// The UUID of the descriptor with a characteristic's description for users.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// The UUID of the client's configuration of a characteristic.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// The UUID of the server's configuration of a characteristic.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// The UUID of the descriptor with the format of a characteristic's value.
public let CBUUIDCharacteristicFormatString = "2904"
/// The UUID of the descriptor with the formats of a characteristic's parts.
public let CBUUIDCharacteristicAggregateFormatString = "2905"
/// The UUID of the descriptor with the valid range of a characteristic's value.
public let CBUUIDCharacteristicValidRangeString = "2906"
/// The UUID of the descriptor that says when a characteristic's value is observed.
public let CBUUIDCharacteristicObservationScheduleString = "2910"
/// The UUID of a characteristic with the PSM of an L2CAP channel.
public let CBUUIDL2CAPPSMCharacteristicString = "ABDD3056-28FA-441D-A470-55A75A52553A"
