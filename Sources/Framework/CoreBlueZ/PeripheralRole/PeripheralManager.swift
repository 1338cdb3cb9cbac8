import BlueZClient
import BlueZDBus

/// A manager of what this computer offers to other devices: services of its own, and advertisements.
///
/// ```swift
/// let manager = PeripheralManager()
/// try await manager.publish(LocalService(0x180F, characteristics: [level]))
/// try await manager.startAdvertising(LocalAdvertisement(localName: "Pi", serviceUUIDs: [0x180F]))
/// ```
///
/// Keep a reference to it: when it is released, its services and advertisements end, and its pending operations fail
/// with `BluetoothError.Code.cancelled`. What it offers outlasts bluetoothd: if bluetoothd restarts, or the adapter is
/// unplugged and comes back or is switched off and on, everything is registered again, which
/// ``PeripheralEvent`` reports.
///
/// The adapter, its power, and pairing belong to `centralManager`. To pair as a peripheral, register a ``PairingAgent``
/// there as the default, and let devices pair (`CentralManager.setPairable(_:completion:)`).
@BluetoothActor open class PeripheralManager {
    /// The manager of the adapter and of the links, which this one uses.
    public let centralManager: CentralManager

    /// Called for each event of services, advertisements and centrals.
    public var eventHandler: (@BluetoothActor (PeripheralEvent) -> Void)?

    /// Called whenever `state` changes. See also `peripheralManagerDidUpdateState`.
    public var stateHandler: (@BluetoothActor (PeripheralManager) -> Void)?

    /// How long a handler may take to respond to a request; 4 s by default, and at most 4.5 s. bluetoothd itself waits
    /// 5 s (src/shared/gatt-db.c: ATTRIBUTE_TIMEOUT).
    public var responseTimeout = Duration.seconds(4)

    let eventConsumers = EventConsumers<PeripheralEvent>()
    let pacer: NotificationPacer
    var applications: [LocalApplication] = []
    var instances: [AdvertisementRegistration] = []
    var centralsByPath: [ObjectPath: Central] = [:]
    var retry: ScheduledCall?
    var retries = 0
    /// Whether an advertisement was unregistered while a central was connected.
    var mustRefreshAdvertisements = false
    private var lastState = CentralManagerState.unknown

    /// Creates a manager, which starts to look for bluetoothd.
    ///
    /// - Parameters:
    ///   - bus: the message bus: by default the system bus, in tests that of a simulator.
    ///   - adapter: the adapter's name ("hci0") or address. Nil, the default, uses the first adapter that is on, or the
    ///     first one if none is on.
    public convenience init(bus: BusAddress = .system, adapter: String? = nil) {
        self.init(CentralManager(bus: bus, adapter: adapter))
    }

    /// Creates a manager that shares the adapter of a central manager.
    public init(_ centralManager: CentralManager) {
        self.centralManager = centralManager
        pacer = NotificationPacer(centralManager.client)
        centralManager.client.add(self)
        BluetoothActor.perform { [weak self] in self?.begin() }
    }

    private func begin() {
        for (path, device) in client.mirror.devices where device.isConnected { linkDidBegin(path) }
        updateState()
    }

    isolated deinit {
        retry?.cancel()
        client.remove(ObjectIdentifier(self))
        let error = BluetoothError(.cancelled, "The peripheral manager is gone")
        for registration in applications as [LocalRegistration] + instances {
            registration.operation?.fail(error)
            registration.unregister()
        }
        for application in applications { application.release(error) }
        for registration in instances { registration.instance.isAdvertising = false }
        pacer.fail(error)
        eventConsumers.finish()
    }

    var client: BlueZClient { centralManager.client }
    var operations: OperationRegistry { centralManager.operations }

    /// Whether bluetoothd says which central subscribes. It does from 5.69 on, and 5.71 is the first version that can be
    /// recognized.
    var namesSubscribers: Bool {
        centralManager.adapterPath.flatMap { client.mirror.adapters[$0] }?.isFrom571 == true
    }

    /// Whether Bluetooth can be used; see `CentralManager.state`.
    public var state: CentralManagerState { centralManager.state }

    /// Why Bluetooth cannot be used, and what to do about it; nil if it can be used or the state is not known yet.
    public var stateError: BluetoothError? { centralManager.stateError }

    /// Called whenever `state` changes. Override it, or set `stateHandler`.
    open func peripheralManagerDidUpdateState() { stateHandler?(self) }

    /// Waits until Bluetooth can be used; see `CentralManager.waitUntilPoweredOn(timeout:completion:)`.
    public func waitUntilPoweredOn(
        timeout: Duration = .zero, completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        centralManager.waitUntilPoweredOn(timeout: timeout, completion: completion)
    }

    /// Waits until Bluetooth can be used; the async form of `waitUntilPoweredOn(timeout:completion:)`.
    public func waitUntilPoweredOn(timeout: Duration = .zero) async throws(BluetoothError) {
        try await centralManager.waitUntilPoweredOn(timeout: timeout)
    }

    /// Returns the events from now on. The sequence ends when the manager is released.
    ///
    /// - Parameter limit: how many elements are buffered for a slow consumer. If there are more, the sequence throws
    ///   `BluetoothError.Code.overflow`.
    public func events(bufferingUpTo limit: Int = 1024) -> EventSequence<PeripheralEvent> {
        eventConsumers.makeSequence(bufferingUpTo: limit)
    }

    func send(_ event: PeripheralEvent) {
        eventHandler?(event)
        eventConsumers.append(event)
    }

    // MARK: What bluetoothd reports

    func stateMayHaveChanged() {
        let state = state
        let isChange = state != lastState
        let wasOn = lastState == .poweredOn
        lastState = state
        if isChange, wasOn || state == .poweredOn { noteAdvertisements(state == .poweredOn) }
        reconcile()
        if isChange { peripheralManagerDidUpdateState() }
    }
}

/// An event of a ``PeripheralManager``.
public enum PeripheralEvent: Sendable {
    /// bluetoothd offers the service, for the first time or again.
    case published(LocalService)
    /// bluetoothd no longer offers the service, because it or the adapter is gone. It will be published again.
    case unpublished(LocalService)
    /// bluetoothd has refused to publish the service again. Another attempt follows.
    case publishingFailed(LocalService, BluetoothError)
    /// The advertisement is sent, for the first time or again.
    case advertisingBegan(AdvertisingInstance)
    /// The advertisement is no longer sent: its timeout has expired, or bluetoothd or the adapter is gone. In the
    /// latter case it is sent again when they are back, or has ended if its timeout has expired by then, which is
    /// reported by this event too.
    case advertisingEnded(AdvertisingInstance)
    /// bluetoothd has refused to send the advertisement again. Another attempt follows.
    case advertisingFailed(AdvertisingInstance, BluetoothError)
    /// A device has connected that this program has not connected to, perhaps a classic one; see ``Central``.
    case centralConnected(Central)
    /// The link of a central has ended.
    case centralDisconnected(Central)
    /// A central has subscribed or unsubscribed.
    case subscriptionChanged(LocalCharacteristic, SubscriptionChange)
}
