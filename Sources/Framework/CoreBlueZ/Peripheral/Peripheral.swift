import BlueZClient
import BlueZDBus
import BlueZPrintableText

/// A peripheral, with its link and its services.
///
/// Subclass it to declare the services of your own device: call `addService` in `init`. Discovery binds each declared
/// service to the device's. A service that is discovered again after a change keeps its object.
///
/// Every operation of a peripheral, its services, its characteristics and its descriptors can fail with these codes, in
/// addition to its own:
/// - `cancelled` if the task of the async form is cancelled, or if the manager removes the peripheral or is released.
/// - `peripheralGone` if bluetoothd does not know the device, or forgets it.
/// - `adapterOff`, `adapterGone`, `daemonUnavailable`, `busUnavailable` or `accessDenied` if Bluetooth cannot be used,
///   or can no longer be used.
/// - `busy` if the message bus has reached a limit, and `invalidData` if bluetoothd's reply is invalid.
/// - `failed` if bluetoothd reports another error; see `BluetoothError.bluezName`.
@BluetoothActor open class Peripheral {
    /// The manager that found the peripheral and owns it; nil if the manager was released or has removed the
    /// peripheral.
    public internal(set) var central: CentralManager? {
        get { owner }
        set {
            owner = newValue
            context = newValue?.context
        }
    }

    /// The state of the link, as this program sees it.
    public var state: PeripheralState { link.state.peripheralState }

    /// The services: the declared ones first, in the order of declaration, then the others that were discovered.
    public internal(set) var services: [Service] = [] { didSet { feed.noteChange() } }

    /// Called when the link ends, with the error unless `disconnect` ended it. See also `didDisconnect`.
    public var disconnectHandler: (@BluetoothActor (Peripheral, BluetoothError?) -> Void)?

    /// Called when the device's name has changed or is known for the first time. See also `didUpdateName`.
    public var nameHandler: (@BluetoothActor (Peripheral) -> Void)?

    /// Called when services were added or removed while connected. Discover the services again. See also
    /// `didModifyServices`.
    public var servicesChangedHandler: (@BluetoothActor (Peripheral) -> Void)?

    /// The reaction to the loss of a link that the program did not end. Nil, the default, does nothing. When a link is
    /// restored, subscriptions are too: by UUID, and by position among equal UUIDs. Handlers stay, sequences end with
    /// the link, and acquired sockets are not acquired again.
    public var reconnectPolicy: ReconnectPolicy?

    /// Called when a lost link and its subscriptions have been restored. See also `didReconnect`.
    public var reconnectHandler: (@BluetoothActor (Peripheral, BluetoothError?) -> Void)?

    package nonisolated let path: ObjectPath
    let link: Link
    /// The order of the peripheral in its manager's list. Later peripherals have greater numbers.
    var registryNumber: UInt64 = 0
    /// The observers of the peripheral's state.
    let feed = SnapshotFeed()
    /// Reports to the `KeptConnection`, if there is one. A closure, because that class is generic.
    var keptHandler: KeptConnection<Peripheral>.StateHandler?
    /// Begins the `KeptConnection`'s set-up over a new link.
    var keptSetUp: (@BluetoothActor (Operation<Void>) -> Void)?
    /// The name that was last reported to the program.
    var reportedName: String?
    var rssiPing: ScheduledCall?
    private let fallbackAddress: BluetoothAddress?
    // Stored separately from the public property, like `Service.owner`.
    private weak var owner: CentralManager?
    private(set) var context: RequestContext?
    var declaredServices: [Service] = []
    /// Whether the program has discovered the services, so that changes must be reported.
    var hasDiscoveredServices = false
    var areChangedServicesUnreported = false

    /// Creates the peripheral for a device. Call it from `CentralManager.makePeripheral(_:)` or `peripheralBuilder`.
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

    /// Called when bluetoothd knows the device again after it had forgotten it.
    func wasListedAgain() {
        if isConnected { link.handle(.link) }
        feed.noteChange()
    }

    /// Ends everything, because the manager has removed the peripheral from its list.
    func leaveCentral() {
        cancelReconnection()
        keptHandler?(.stopped(BluetoothError(.cancelled, "\(displayName) was removed from the manager's list")))
        stopRSSIPing()
        unbind()
        central = nil
        link.handle(.release)
    }

    // MARK: Identity

    /// The shared state of attribute requests; nil when the manager is gone.
    var device: (path: ObjectPath, context: RequestContext)? {
        // Not in a closure, each call of which would check whether it is on the actor.
        guard let context else { return nil }
        return (path, context)
    }

    var properties: DeviceProperties? { central?.client.mirror.devices[path] }

    /// The name of the device; nil if it is not known yet. The advertised name may differ from the one that is read
    /// from the connected device.
    public var name: String? { properties?.name }

    /// The name that the user gave the device in BlueZ, otherwise the device's own name, otherwise its address. See
    /// `setAlias(_:completion:)`.
    public var alias: String? { properties?.alias }

    /// The device's address. It is the identifier of a peripheral on Linux. Private addresses change.
    public var address: BluetoothAddress? { properties?.address ?? fallbackAddress }

    /// Whether the address is public or random; nil if bluetoothd does not know the device.
    public var addressKind: BluetoothAddress.Kind? { properties?.addressKind }

    /// The Class of Device of classic Bluetooth (Assigned Numbers, 2.8): 24 bits with major service classes, major
    /// device class and minor device class. Nil if the device has been found over LE only.
    public var deviceClass: UInt32? { properties?.deviceClass }

    /// The signal strength of the last advertisement in dBm, while a scan is in progress; otherwise nil, and if the
    /// adapter could not measure it. bluetoothd does not measure links.
    public var rssi: Int? { properties?.rssi }

    /// Whether the device has advertised during the present scan. Unlike `rssi`, it does not depend
    /// on whether the adapter could measure the signal.
    public var isHeard: Bool { properties?.isHeard ?? false }

    /// The battery charge in percent, if bluetoothd reads the battery service itself and reports it. Nil otherwise, and
    /// without a link. Versions before 5.55 hide that service from programs, so the charge is available only here.
    public var batteryLevel: Int? { properties?.batteryLevel }

    /// The data that the device has advertised so far.
    public var advertisement: AdvertisementData { properties?.advertisement ?? AdvertisementData() }

    /// Whether the device is connected, by this program or another.
    public var isConnected: Bool { properties?.isConnected ?? false }

    /// The name, or the address if there is no name, for display: one line, with control characters escaped. `name` is
    /// the name as the device sends it.
    public var displayName: String { name?.escapedForTerminal() ?? address?.description ?? String(path.lastComponent) }

    // MARK: Declaring services

    /// Declares a service of the device. Call it in `init` of a subclass.
    public func addService(_ service: Service) {
        service.peripheral = self
        service.isDeclared = true
        declaredServices.append(service)
        services.insert(service, at: declaredServices.count - 1)
    }

    /// Returns the declared service with a name or, if there is none and the name is a UUID, the service with that
    /// UUID.
    public subscript(name: String) -> Service? {
        services.first { $0.name == name } ?? BluetoothUUID(name).flatMap { self[$0] }
    }

    /// Returns the first service with a UUID, declared or discovered.
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

    /// Returns the client, for an operation on a device that bluetoothd knows. Otherwise it returns nil, and the
    /// operation fails soon.
    package func client(for operation: AnyOperation) -> BlueZClient? {
        if let client = central?.client, properties != nil { return client }
        BluetoothActor.perform { [goneError] in operation.fail(goneError) }
        return nil
    }

    /// Begins an operation, which retains the peripheral until it ends. So its completion runs even if there are no
    /// other references.
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
    /// Returns whether both are the same object.
    public nonisolated static func == (left: Peripheral, right: Peripheral) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// An identifier that remains the same when the device gets a new object, unless its address changes.
    public nonisolated var id: String { path.string }
}
