/// A descriptor of a characteristic. `CBPeripheral.discoverDescriptors(for:)` finds it. It is valid until the link ends
/// or the peripheral changes its services.
open class CBDescriptor: CBAttribute {
    private weak var owner: CBCharacteristic?
    @Locked private var lastValue: Any? = nil

    init(_ description: AttributeDescription, _ owner: CBCharacteristic) {
        self.owner = owner
        super.init(description)
    }

    /// The characteristic; nil if it was released.
    open var characteristic: CBCharacteristic? { owner }

    /// The value that was last read: a `String` for a description for users (2901), an `NSNumber` for extended
    /// properties and configurations (2900, 2902 and 2903), otherwise a `Data`. Nil before.
    open var value: Any? { lastValue }

    func take(_ data: Data) {
        switch uuid.uuidString {
        case CBUUIDCharacteristicUserDescriptionString: lastValue = String(decoding: data, as: UTF8.self)
        case CBUUIDCharacteristicExtendedPropertiesString, CBUUIDClientCharacteristicConfigurationString,
            CBUUIDServerCharacteristicConfigurationString:
            let number = data.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            lastValue = NSNumber(value: number)
        default: lastValue = data
        }
    }

    /// The class, the UUID and the value.
    open override var description: String {
        describe("UUID = \(uuid), value = \(value.map { "\($0)" } ?? "(null)")")
    }
}
