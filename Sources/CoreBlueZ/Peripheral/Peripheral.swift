import BlueZClient
import DBus
import PrintableText

/// A peripheral: its link and its services.
///
/// Subclass it to declare the services of your own device: call `addService` in `init`. Discovery binds each declared
/// service to the device's; a service that is discovered again after a change keeps its object.
@BluetoothActor open class Peripheral {
    /// The manager that found the peripheral and owns it.
    public internal(set) var central: CentralManager? {
        get { owner }
        set {
            owner = newValue
            context = newValue?.context
        }
    }

    /// The state of the link.
    public var state: PeripheralState { link.state.peripheralState }

    /// The services: the declared ones first, in the order of declaration, then the others that were discovered.
    public internal(set) var services: [Service] = [] { didSet { feed.noteChange() } }

    /// Called when the link ends, with the error unless `disconnect` ended it. See also `didDisconnect`.
    public var disconnectHandler: (@BluetoothActor (Peripheral, BluetoothError?) -> Void)?

    /// Called when the device's name has changed or is known for the first time. See also `didUpdateName`.
    public var nameHandler: (@BluetoothActor (Peripheral) -> Void)?

    /// Called when services were added or removed while connected. Then discover again.
    public var servicesChangedHandler: (@BluetoothActor (Peripheral) -> Void)?

    /// The reaction to the loss of a link that the program did not end; nil, the default, does nothing. Subscriptions
    /// that were on are switched on again, by UUID and position among equal ones; handlers stay, sequences end with the
    /// link. Acquired sockets are not acquired again.
    public var reconnectPolicy: ReconnectPolicy?

    /// Called when a lost link and its subscriptions have been restored. See also `didReconnect`.
    public var reconnectHandler: (@BluetoothActor (Peripheral, BluetoothError?) -> Void)?

    package nonisolated let path: ObjectPath
    let link: Link
    /// The peripheral's position in its manager's list: later ones have greater numbers.
    var registryNumber: UInt64 = 0
    /// Observers of its state.
    let feed = SnapshotFeed()
    /// Reports to the `KeptConnection`, if there is one: a closure, because that class is generic.
    var keptHandler: KeptConnection<Peripheral>.StateHandler?
    /// The name that was last reported to the program.
    var reportedName: String?
    var rssiPing: ScheduledCall?
    private let fallbackAddress: BluetoothAddress?
    // Behind a public property, like `Service.owner`.
    private weak var owner: CentralManager?
    private(set) var context: RequestContext?
    var declaredServices: [Service] = []
    /// Whether the program has seen the services, so that a change must be reported.
    var hasDiscoveredServices = false
    var areChangedServicesUnreported = false

    /// Creates the peripheral for a device; called by `CentralManager.makePeripheral`.
    public init(_ device: DiscoveredDevice) {
        path = device.path
        owner = device.central
        context = device.central.context
        fallbackAddress = device.address
        reportedName = device.name
        link = Link(isUp: device.central.client.mirror.devices[device.path]?.isConnected == true)
        feed.peripheral = self
        link.changed = { [feed] in feed.noteChange() }
    }

    isolated deinit {
        central?.forgetFormer(path)
    }

    /// bluetoothd had forgotten the device, and knows it again.
    func wasListedAgain() {
        if isConnected { link.handle(.link) }
        feed.noteChange()
    }

    /// The manager has removed the peripheral from its list: everything it does ends.
    func leaveCentral() {
        cancelReconnection()
        keptHandler?(.stopped(BluetoothError(.cancelled, "\(displayName) was removed from the manager's list")))
        stopRSSIPing()
        unbind()
        central = nil
        link.handle(.release)
    }

    // MARK: Identity

    /// The shared state of attribute requests; nil once the manager is gone.
    var device: (path: ObjectPath, context: RequestContext)? {
        // No closure: each call of one would check whether it is on the actor.
        guard let context else { return nil }
        return (path, context)
    }

    var properties: DeviceProperties? { central?.client.mirror.devices[path] }

    /// The name of the device; nil if it has reported none yet. The advertised name and the connected device's may
    /// differ.
    public var name: String? { properties?.name }

    /// The name that the user gave the device in BlueZ; otherwise its own name; otherwise its address.
    public var alias: String? { properties?.alias }

    /// The device's address.
    public var address: BluetoothAddress? { properties?.address ?? fallbackAddress }

    /// Whether the address is public or random.
    public var addressKind: BluetoothAddress.Kind? { properties?.addressKind }

    /// The Class of Device of classic Bluetooth (Assigned Numbers, 2.8): 24 bits with major service classes, major and
    /// minor device class. Nil if the device has been heard over LE only.
    public var deviceClass: UInt32? { properties?.deviceClass }

    /// The signal strength of the last advertisement in dBm, while scanning. bluetoothd does not measure links.
    public var rssi: Int? { properties?.rssi }

    /// The battery charge in percent, if bluetoothd reads the battery service itself and reports it; otherwise nil, as
    /// without a link. Versions before 5.55 hide that service from programs: then the charge is available only here.
    public var batteryLevel: Int? { properties?.batteryLevel }

    /// The data that the device has advertised so far.
    public var advertisement: AdvertisementData { properties?.advertisement ?? AdvertisementData() }

    /// Whether there is a link.
    public var isConnected: Bool { properties?.isConnected ?? false }

    /// Name or address for display: one line, with control characters escaped. `name` is the name as the device sends
    /// it.
    public var displayName: String { name?.escapedForTerminal() ?? address?.description ?? String(path.lastComponent) }

    // MARK: Declaring services

    /// Declares a service that the device has. For use in `init` of subclasses.
    public func addService(_ service: Service) {
        service.peripheral = self
        service.isDeclared = true
        declaredServices.append(service)
        services.insert(service, at: declaredServices.count - 1)
    }

    /// The declared service with a name.
    public subscript(name: String) -> Service? {
        services.first { $0.name == name } ?? BluetoothUUID(name).flatMap { self[$0] }
    }

    /// The first service with a UUID, declared or discovered.
    public subscript(uuid: BluetoothUUID) -> Service? {
        services.first { $0.uuid == uuid }
    }

    // MARK: Hooks

    /// Called when the link has ended and all pending operations have failed. Override it, or set `disconnectHandler`.
    ///
    /// - Parameter error: nil if `disconnect` ended it; otherwise the error.
    open func didDisconnect(_ error: BluetoothError?) {
        disconnectHandler?(self, error)
    }

    /// Called when a lost link and its subscriptions have been restored. Override it, or set `reconnectHandler`.
    ///
    /// - Parameter error: the error if a subscription could not be switched on again.
    open func didReconnect(_ error: BluetoothError?) {
        reconnectHandler?(self, error)
    }

    /// Called when the device's name has changed or is known for the first time: from an advertisement, or read after
    /// connecting. Override it, or set `nameHandler`.
    open func didUpdateName() {
        nameHandler?(self)
    }

    /// Called when services were added or removed while connected. Override it, or set `servicesChangedHandler`.
    open func didModifyServices() {
        servicesChangedHandler?(self)
    }

    // MARK: For operations

    package var goneError: BluetoothError {
        guard central != nil else { return BluetoothError(.cancelled, "The central manager is gone") }
        return BluetoothError(.peripheralGone, "BlueZ no longer knows \(displayName); scan again")
    }

    /// The client, for an operation on a device that bluetoothd knows. Without one the operation fails soon.
    package func client(for operation: AnyOperation) -> BlueZClient? {
        if let client = central?.client, properties != nil { return client }
        BluetoothActor.later { [goneError] in operation.fail(goneError) }
        return nil
    }

    /// Begins an operation, which keeps the peripheral until it ends: its completion runs without other references.
    package func begin<Value>(
        _ title: String,
        on subject: ObjectPath? = nil,
        needsConnection: Bool,
        limit: Duration?,
        _ completion: @escaping @BluetoothActor (Result<Value, BluetoothError>) -> Void
    ) -> Operation<Value> {
        Operation(
            "\(title) \(displayName)", on: subject ?? path, needsConnection: needsConnection, limit: limit,
            in: central?.operations ?? OperationRegistry()
        ) { [self] result in
            withExtendedLifetime(self) { completion(result) }
        }
    }
}

extension Peripheral: Hashable, Identifiable {
    /// Whether both are the same object.
    public nonisolated static func == (left: Peripheral, right: Peripheral) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Remains the same when the device gets a new object, unless its address changes.
    public nonisolated var id: String { path.string }
}
