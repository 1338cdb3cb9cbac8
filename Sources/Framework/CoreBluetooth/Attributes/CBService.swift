/// A service of a peripheral. `CBPeripheral.discoverServices(_:)` finds it. It is valid until the link ends or the
/// peripheral changes its services.
open class CBService: CBAttribute {
    private weak var owner: CBPeripheral?
    private let isPrimaryService: Bool
    @Locked var isValid = true
    @Locked var foundIncludedServices: [CBService]? = nil
    @Locked var foundCharacteristics: [CBCharacteristic]? = nil

    init(_ description: AttributeDescription, _ owner: CBPeripheral) {
        isPrimaryService = description.isPrimary
        self.owner = owner
        super.init(description)
    }

    /// The peripheral; nil if it was released, or the service is no longer valid.
    open var peripheral: CBPeripheral? { isValid ? owner : nil }

    /// Whether it is a primary service, not one that is only included by others.
    open var isPrimary: Bool { isPrimaryService }

    /// The included services that were discovered; nil before.
    open var includedServices: [CBService]? { foundIncludedServices }

    /// The characteristics that were discovered; nil before.
    open var characteristics: [CBCharacteristic]? { foundCharacteristics }

    /// The class, the UUID and whether the service is primary.
    open override var description: String {
        describe("isPrimary = \(isPrimary ? "YES" : "NO"), UUID = \(uuid)")
    }
}
