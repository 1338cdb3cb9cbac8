import CoreBlueZ

/// The operations that a characteristic supports.
public struct CBCharacteristicProperties: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value can be broadcast.
    public static let broadcast = Self(rawValue: 0x01)
    /// The value can be read.
    public static let read = Self(rawValue: 0x02)
    /// The value can be written without a response.
    public static let writeWithoutResponse = Self(rawValue: 0x04)
    /// The value can be written with a response.
    public static let write = Self(rawValue: 0x08)
    /// The peripheral can notify the value.
    public static let notify = Self(rawValue: 0x10)
    /// The peripheral can indicate the value.
    public static let indicate = Self(rawValue: 0x20)
    /// The value can be written with a signature.
    public static let authenticatedSignedWrites = Self(rawValue: 0x40)
    /// The characteristic has extended properties, which a descriptor contains.
    public static let extendedProperties = Self(rawValue: 0x80)
    /// Only trusted devices get notifications. Never set by a peripheral.
    public static let notifyEncryptionRequired = Self(rawValue: 0x100)
    /// Only trusted devices get indications. Never set by a peripheral.
    public static let indicateEncryptionRequired = Self(rawValue: 0x200)
}

/// A characteristic of a service. `CBPeripheral.discoverCharacteristics(_:for:)` finds it. It is valid until the link
/// ends or the peripheral changes its services.
open class CBCharacteristic: CBAttribute {
    private weak var owner: CBService?
    private let supported: CBCharacteristicProperties
    @Locked var lastValue: Data? = nil
    @Locked var foundDescriptors: [CBDescriptor]? = nil
    @Locked var notifies = false

    init(_ description: AttributeDescription, _ owner: CBService) {
        // The declaration's byte. BlueZ has bits of its own above it, and so has Apple.
        supported = CBCharacteristicProperties(rawValue: UInt(description.properties.rawValue) & 0xFF)
        self.owner = owner
        super.init(description)
    }

    /// The service; nil if it was released.
    open var service: CBService? { owner }

    /// The operations that the characteristic supports.
    open var properties: CBCharacteristicProperties { supported }

    /// The value that was last read or notified; nil before.
    open var value: Data? { lastValue }

    /// The descriptors that were discovered; nil before.
    open var descriptors: [CBDescriptor]? { foundDescriptors }

    /// Whether the value is broadcast; always false.
    @available(*, deprecated) open var isBroadcasted: Bool { false }

    /// Whether notifications or indications are on.
    open var isNotifying: Bool { notifies }

    /// The class, the UUID, the properties, the value and whether it notifies.
    open override var description: String {
        let bytes = value.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        let text = bytes.map { "{length = \($0.utf8.count / 2), bytes = 0x\($0)}" } ?? "(null)"
        return describe(
            """
            UUID = \(uuid), properties = 0x\(String(properties.rawValue, radix: 16, uppercase: true)), value = \(text), \
            notifying = \(isNotifying ? "YES" : "NO")
            """)
    }
}
