import BlueZClient
import BlueZDBus

/// A manager of the Bluetooth adapter, which finds peripherals and owns them.
///
/// Create a manager, keep a reference to it, and start a scan. All managers of a process that use the same bus share
/// one connection to bluetoothd. When a manager is released, its pending operations fail with
/// `BluetoothError.Code.cancelled`, and its scans and subscriptions end. Peripherals stay connected, even when the
/// program ends, unless you disconnect them first: BlueZ keeps the link, and since a connected peripheral does not
/// advertise, the next scan does not find it.
///
/// Subclass it to create your own `Peripheral` subclasses (`makePeripheral`) and to follow the state
/// (`centralManagerDidUpdateState`), or set closures for the same purposes.
@BluetoothActor open class CentralManager {
    /// The framework's version (semver.org): the newest one in CHANGELOG.md.
    public nonisolated static let version = "0.1.0"

    /// The names of the peripherals that the program uses; empty, the default, means all. `isKnownPeripheral` compares
    /// with them, and scans don't report other peripherals.
    ///
    /// A device can have two names: one that it advertises, and one that is read when it is connected. BlueZ remembers
    /// the latter. Add both, such as "SensorTag" and "TI BLE Sensor Tag".
    public var knownPeripheralNames: Set<String>

    /// Whether Bluetooth can be used; `unknown` until bluetoothd has replied.
    public internal(set) var state = CentralManagerState.unknown

    /// Why Bluetooth cannot be used, and what to do about it; nil if it can be used or the state is not known yet.
    public internal(set) var stateError: BluetoothError?

    /// Called whenever `state` changes. See also `centralManagerDidUpdateState`.
    public var stateHandler: (@BluetoothActor (CentralManager) -> Void)?

    /// Called for each event of adapters and links, whichever program causes it.
    public var eventHandler: (@BluetoothActor (CentralEvent) -> Void)?

    /// Creates the peripheral for a device that was found, unless a subclass overrides `makePeripheral`. Nil, the
    /// default, creates a plain `Peripheral`.
    public var peripheralBuilder: (@BluetoothActor (DiscoveredDevice) -> Peripheral)?

    /// The timeout of reading, writing, subscribing and unsubscribing, from the moment the request is sent; 35 s by
    /// default. bluetoothd itself waits 30 s for a peripheral's response (src/shared/att.c: ATT_TIMEOUT_INTERVAL). With
    /// a shorter timeout, bluetoothd's own error may arrive too late to be reported.
    public var attributeTimeout = Timeouts.attribute { didSet { context.setAttributeLimit(attributeTimeout) } }

    /// How long a request may wait before it is sent; 300 s by default. It waits for earlier requests of the same
    /// characteristic or descriptor, and while too many calls are in flight. A request that waits longer is not sent,
    /// and fails with `BluetoothError.Code.timedOut`. `attributeTimeout` starts when the request is sent. This limit
    /// also applies to connecting, which waits for earlier attempts.
    public var queueTimeout = Timeouts.queue { didSet { context.setQueueLimit(queueTimeout) } }

    /// Whether links that this manager's peripherals made end when the manager is released. False by default, because
    /// BlueZ's links are shared: other managers or programs may use them too.
    public var disconnectsAtEnd = false

    /// The peripherals for which this manager has objects, in the order of their creation.
    public internal(set) var peripherals: [Peripheral] = []

    /// Called when the manager creates an object for a peripheral, or removes one from its list, with the index in
    /// `peripherals`. If you apply each change to a copy of the list, the copy stays equal to it.
    public var registryHandler: (@BluetoothActor (CentralManager, RegistryChange) -> Void)?

    /// Whether the manager creates an object for each device of its adapter when bluetoothd begins to report it,
    /// whichever program has found it. By default, it creates one when a scan of this manager reports the device, a link
    /// of any program changes, or you ask for it. For the devices that bluetoothd knows already, call
    /// `retrieveKnownPeripherals()`.
    public var listsFoundDevices = false

    /// The store for the addresses of found peripherals, for later runs. Nil, the default, stores nothing.
    public var storedPeripherals: StoredPeripherals?

    let stateConsumers = EventConsumers<CentralManagerState>()
    let eventConsumers = EventConsumers<CentralEvent>()
    var eventObservers: [ObjectIdentifier: @BluetoothActor (CentralEvent) -> Void] = [:]
    let adapterName: String?
    package let client: BlueZClient
    package let operations = OperationRegistry()
    let context: RequestContext
    var peripheralsByPath: [ObjectPath: Peripheral] = [:]
    var lastRegistryNumber: UInt64 = 0
    /// The objects of devices that bluetoothd has forgotten, as long as the program holds them. A device that comes
    /// back gets its earlier object.
    var formerPeripherals: [ObjectPath: WeakPeripheral] = [:]
    var scans: [ObjectIdentifier: Scan] = [:]
    /// The state handlers of the `KeptConnection` objects.
    var keptConnections: [ObjectIdentifier: KeptConnection<Peripheral>.StateHandler] = [:]
    var stateWaiters: [@BluetoothActor () -> Bool] = []
    /// Whether the initializers have returned, including those of subclasses. Hooks are called only afterwards.
    var isReady = false

    /// Creates a manager, which starts to look for bluetoothd. `state` is `unknown` until the first change is reported,
    /// after the initializer has returned, even if another manager of the program already knows the state.
    ///
    /// - Parameters:
    ///   - bus: the message bus: by default the system bus, in tests that of a simulator.
    ///   - adapter: the adapter's name ("hci0") or address. Nil, the default, uses the first adapter that is on, or the
    ///     first one if none is on.
    ///   - knownPeripheralNames: the names of the peripherals that the program uses; empty means all.
    public init(bus: BusAddress = .system, adapter: String? = nil, knownPeripheralNames: Set<String> = []) {
        adapterName = adapter
        self.knownPeripheralNames = knownPeripheralNames
        client = BlueZClient.shared(bus)
        context = RequestContext(client, operations)
        client.add(self)
        BluetoothActor.perform { [weak self] in self?.begin() }
    }

    /// Reports what the shared client already knows.
    private func begin() {
        isReady = true
        updateState()
        reportPresent()
    }

    isolated deinit {
        context.close()
        client.remove(ObjectIdentifier(self))
        for registration in client.registrations { registration.managerIsGone(ObjectIdentifier(self)) }
        let error = BluetoothError(.cancelled, "The central manager is gone")
        for handler in keptConnections.values { handler(.stopped(error)) }
        for scan in scans.values { scan.leave() }
        let present = peripheralsByPath.values + formerPeripherals.values.compactMap(\.peripheral)
        for peripheral in present { peripheral.leave(client, error, endingLink: disconnectsAtEnd) }
        storedPeripherals?.flush()
        operations.failAll(error)
        stateConsumers.finish()
        eventConsumers.finish()
    }

    // MARK: Hooks

    /// Creates the peripheral for a device that was found or that bluetoothd remembers. Override it, or set
    /// `peripheralBuilder`, to return a subclass of `Peripheral` with your own services.
    open func makePeripheral(_ device: DiscoveredDevice) -> Peripheral {
        peripheralBuilder?(device) ?? Peripheral(device)
    }

    /// Returns whether the program uses a device. Override it for names that vary. It is called before the program gets
    /// a `Peripheral` for the device.
    open func isKnownPeripheral(_ device: DiscoveredDevice) -> Bool {
        guard !knownPeripheralNames.isEmpty else { return true }
        return device.name.map(knownPeripheralNames.contains) ?? false
    }

    /// Called for each peripheral that a scan reports, before the scan's own closure. Override it to handle found
    /// peripherals in one place.
    open func didFindPeripheral(_ peripheral: Peripheral, advertisement: AdvertisementData, rssi: Int?) {}

    /// Called after the completion of a failed attempt to connect, including an attempt of
    /// `Peripheral.reconnectPolicy`, but not if it was cancelled. Override it, or use `CentralEvent.failedToConnect`.
    open func didFailToConnect(_ peripheral: Peripheral, error: BluetoothError) {}

    /// Called when the first scan of this manager has begun. Override it, or use `CentralEvent.scanBegan`.
    open func didBeginScanning() {}

    /// Called before the completion of this manager's last scan. Override it, or use `CentralEvent.scanEnded`.
    ///
    /// - Parameter error: the error, or nil if the scan did not fail. A scan with `ScanOptions.resumes` may begin
    ///   again.
    open func didEndScanning(_ error: BluetoothError?) {}

    /// Starts the program's usual scan, and calls `completion` once when it has ended. By default it scans for all
    /// known peripherals and passes them to `didFindPeripheral`. Override it with a call to
    /// `scanForPeripherals(withServices:options:found:completion:)`.
    open func startScan(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        scanForPeripherals(found: { _, _, _ in }, completion: completion)
    }

    /// Called after `centralManagerDidUpdateState` when Bluetooth can be used. Override it.
    open func didPowerOn() {}
    /// Called after `centralManagerDidUpdateState` when the adapter is off. Override it.
    open func didPowerOff() {}
    /// Called after `centralManagerDidUpdateState` when bluetoothd or the bus was lost; another state follows within
    /// seconds. Override it.
    open func didReset() {}
    /// Called after `centralManagerDidUpdateState` when the policy of the bus denies this user access to bluetoothd.
    /// Override it.
    open func didBecomeUnauthorized() {}
    /// Called after `centralManagerDidUpdateState` when bluetoothd is not running or there is no adapter. Override it.
    open func didBecomeUnsupported() {}
    /// Called after `centralManagerDidUpdateState` when bluetoothd is back after a longer absence and has not reported
    /// its adapters yet. Override it.
    open func didBecomeUnknown() {}

    /// Called whenever `state` changes. Override it, or set `stateHandler`.
    open func centralManagerDidUpdateState() {
        stateHandler?(self)
    }
}

extension CentralManager: Hashable, Identifiable {
    /// Returns whether both are the same object.
    public nonisolated static func == (left: CentralManager, right: CentralManager) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
