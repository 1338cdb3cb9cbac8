import BlueZClient
import BlueZDBus

/// A service that this program offers to centrals.
///
/// ```swift
/// let level = LocalCharacteristic(0x2A19, properties: [.read, .notify], value: Data([87]))
/// let battery = LocalService(0x180F, characteristics: [level])
/// manager.publish(battery) { error in
///     level.notify(Data([86])) { error in }
/// }
/// ```
///
/// Subclass it for a service of your own, which creates its characteristics in its initializer.
@BluetoothActor open class LocalService {
    static let interface = BlueZ.gattService

    /// The UUID that identifies the kind of service.
    public nonisolated let uuid: BluetoothUUID

    /// Whether the service is a primary one. A secondary service is only found as a service that another one includes.
    public nonisolated let isPrimary: Bool

    /// The characteristics, in the order of their handles.
    public let characteristics: [LocalCharacteristic]

    /// The services that this one includes. They are published with it, and cannot be published separately, because
    /// BlueZ only knows includes within one application.
    public let includedServices: [LocalService]

    /// The handle that the service's declaration must have; nil, the default, lets bluetoothd choose.
    public var requestedHandle: UInt16?

    /// The handle that bluetoothd has assigned to the declaration; nil while the service is not published.
    public internal(set) var handle: UInt16?

    /// Whether bluetoothd offers the service now. False while bluetoothd or the adapter is gone.
    public internal(set) var isPublished = false

    weak var manager: PeripheralManager?

    /// Creates a service. `PeripheralManager.publish` offers it.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, characteristics: [LocalCharacteristic] = [],
        includedServices: [LocalService] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.characteristics = characteristics
        self.includedServices = includedServices
        for characteristic in characteristics where characteristic.service == nil { characteristic.service = self }
    }

    /// The first characteristic with the UUID.
    public subscript(_ uuid: BluetoothUUID) -> LocalCharacteristic? {
        characteristics.first { $0.uuid == uuid }
    }

    /// Called when bluetoothd begins to offer the service, and again after bluetoothd or the adapter was gone. Override
    /// it, or use `PeripheralEvent.published`.
    open func didPublish() {}

    /// Called when the service is no longer offered, because bluetoothd or the adapter is gone. It is published again
    /// when they are back. Not called after `PeripheralManager.unpublish`. Override it, or use
    /// `PeripheralEvent.unpublished`.
    open func didUnpublish() {}

    /// The service's characteristics and descriptors.
    var attributes: [LocalAttribute] {
        characteristics.flatMap { [$0] + $0.descriptors as [LocalAttribute] }
    }

    func exported(includes: [ObjectPath]) -> ExportedInterface {
        ExportedInterface(
            Self.interface,
            properties: [
                .init("UUID", "s", get: { [uuid] in .string(uuid.fullString) }),
                .init("Primary", "b", get: { [isPrimary] in .boolean(isPrimary) }),
                .init("Includes", "ao", get: { .array(elements: "o", includes.map(Value.objectPath)) }),
                .init(
                    "Handle", "q",
                    get: { [weak self] in .uint16(self?.requestedHandle ?? 0) },
                    set: { [weak self] value, call in
                        guard let self, call.sender == self.manager?.client.owner, case .uint16(let handle) = value
                        else { return call.fail(DBusError.Name.accessDenied, "Only bluetoothd may set this property") }
                        self.handle = handle
                        call.reply()
                    }
                ),
            ]
        )
    }
}
