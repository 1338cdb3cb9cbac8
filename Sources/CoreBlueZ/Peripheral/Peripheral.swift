import DBus

/// A peripheral: its link, and the services that it has.
///
/// Subclass it to declare the services of a device of one's own: call `addService` in `init`. Discovery binds each
/// declared service to what the device has; a service that is discovered again after a change keeps its object.
@BluetoothActor open class Peripheral {
    /// The manager that found the peripheral; it owns it.
    public internal(set) weak var central: CentralManager?

    /// How the peripheral is connected.
    public var state: PeripheralState { link.state.peripheralState }

    /// The services: the declared ones first, in the order of their declaration, and then what else was discovered.
    public internal(set) var services: [Service] = []

    /// Called when the link ends, with the reason where it was not `disconnect`. See also `didDisconnect`.
    public var disconnectHandler: (@BluetoothActor (Peripheral, BluetoothError?) -> Void)?

    /// Called when services came or went while connected. Discover again then.
    public var servicesChangedHandler: (@BluetoothActor (Peripheral) -> Void)?

    /// What to do when a link is lost that the program did not end; nil, as at first, does nothing. Subscriptions that
    /// were on are switched on again, by UUID and place among equal ones; handlers stay, sequences end with the link.
    /// Acquired sockets are not acquired again.
    public var reconnectPolicy: ReconnectPolicy?

    /// Called when a lost link is back and its subscriptions are. See also `didReconnect`.
    public var reconnectHandler: (@BluetoothActor (Peripheral, BluetoothError?) -> Void)?

    nonisolated let path: ObjectPath
    let link: Link
    var rssiPing: ScheduledCall?
    private let fallbackAddress: BluetoothAddress?
    var declaredServices: [Service] = []
    /// Whether the program has seen the services, so that a change is news.
    var hasDiscoveredServices = false
    var areChangedServicesUnreported = false

    /// Makes the peripheral of a device; called by `CentralManager.makePeripheral`.
    public init(_ device: DiscoveredDevice) {
        path = device.path
        central = device.central
        fallbackAddress = device.address
        link = Link(isUp: device.central.client.mirror.devices[device.path]?.isConnected == true)
    }

    isolated deinit {
        central?.forgetFormer(path)
    }

    /// bluetoothd had forgotten the device, and knows it again.
    func wasListedAgain() {
        if isConnected { link.handle(.link) }
    }

    /// The manager has taken the peripheral out of its list: nothing of it goes on.
    func leaveCentral() {
        cancelReconnection()
        stopRSSIPing()
        unbind()
        central = nil
        link.handle(.release)
    }

    // MARK: What it is

    var properties: DeviceProperties? { central?.client.mirror.devices[path] }

    /// The name that the device told; nil where it told none yet. The advertised name and that of the connected device
    /// may differ.
    public var name: String? { properties?.name }

    /// The name that the user gave the device in BlueZ, or else its own, or else its address.
    public var alias: String? { properties?.alias }

    /// The device's address.
    public var address: BluetoothAddress? { properties?.address ?? fallbackAddress }

    /// Whether the address is the maker's or a random one.
    public var addressKind: BluetoothAddress.Kind? { properties?.addressKind }

    /// The Class of Device of classic Bluetooth (Assigned Numbers, 2.8): 24 bits with major service classes, major and
    /// minor device class. Nil if the device has been heard over LE only.
    public var deviceClass: UInt32? { properties?.deviceClass }

    /// The signal strength of the last advertisement in dBm, while scanning. bluetoothd does not measure links.
    public var rssi: Int? { properties?.rssi }

    /// The charge in percent, where bluetoothd reads the battery service itself and tells; nil elsewhere, and without a
    /// link. Versions before 5.55 keep that service to themselves: then it is found here only.
    public var batteryLevel: Int? { properties?.batteryLevel }

    /// What the device has advertised so far.
    public var advertisement: AdvertisementData { properties?.advertisement ?? AdvertisementData() }

    /// Whether there is a link.
    public var isConnected: Bool { properties?.isConnected ?? false }

    /// Name or address, for messages.
    public var displayName: String { name ?? address?.description ?? String(path.lastComponent) }

    // MARK: Declaring services

    /// Declares a service that the device has. For `init` of subclasses.
    public func addService(_ service: Service) {
        service.peripheral = self
        declaredServices.append(service)
        services.insert(service, at: declaredServices.count - 1)
    }

    /// The declared service of a name.
    public subscript(name: String) -> Service? {
        services.first { $0.name == name } ?? BluetoothUUID(name).flatMap { self[$0] }
    }

    /// The first service of a UUID, declared or discovered.
    public subscript(uuid: BluetoothUUID) -> Service? {
        services.first { $0.uuid == uuid }
    }

    // MARK: Hooks

    /// Called when the link has ended and all pending operations have failed. Override it, or set `disconnectHandler`.
    ///
    /// - Parameter error: nil where `disconnect` ended it; otherwise why.
    open func didDisconnect(_ error: BluetoothError?) {
        disconnectHandler?(self, error)
    }

    /// Called when a lost link is back and its subscriptions are. Override it, or set `reconnectHandler`.
    ///
    /// - Parameter error: why a subscription could not be switched on again, where one could not.
    open func didReconnect(_ error: BluetoothError?) {
        reconnectHandler?(self, error)
    }

    /// Called when services came or went while connected. Override it, or set `servicesChangedHandler`.
    open func didModifyServices() {
        servicesChangedHandler?(self)
    }

    // MARK: For operations

    var goneError: BluetoothError {
        guard central != nil else { return BluetoothError(.cancelled, "The central manager is gone") }
        return BluetoothError(.peripheralGone, "BlueZ does not know \(displayName) any more; scan again")
    }

    /// The client, for an operation that needs a device that bluetoothd knows. Without one the operation fails, soon.
    func client<Value>(for operation: Operation<Value>) -> BlueZClient? {
        if let client = central?.client, properties != nil { return client }
        BluetoothActor.later { [goneError] in operation.fail(goneError) }
        return nil
    }

    func begin<Value>(
        _ title: String,
        on subject: ObjectPath? = nil,
        needsConnection: Bool,
        limit: Duration?,
        _ completion: @escaping @BluetoothActor (Result<Value, BluetoothError>) -> Void
    ) -> Operation<Value> {
        Operation(
            "\(title) of \(displayName)", on: subject ?? path, needsConnection: needsConnection, limit: limit,
            in: central?.operations ?? OperationRegistry(), completion: completion
        )
    }
}

extension Peripheral: Hashable, Identifiable {
    /// Whether both are the same object.
    public nonisolated static func == (left: Peripheral, right: Peripheral) -> Bool { left === right }

    /// By identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// What stays the same for a device when it gets a new object, as long as it keeps its address.
    public nonisolated var id: String { path.string }
}
