import BlueZClient
import DBus

/// The Bluetooth adapter as a program sees it: finds peripherals and owns them.
///
/// Create one, keep it, and ask it to scan. All managers of a process that use the same bus share one connection to
/// bluetoothd. When a manager goes away, its pending operations end with `BluetoothError.Code.cancelled`, and its scans
/// and subscriptions end. Peripherals stay connected unless you disconnect them first, even when the program ends:
/// BlueZ keeps the link, and since a connected peripheral does not advertise, the next scan does not find it.
///
/// Subclass it to build your own `Peripheral` subclasses (`makePeripheral`) and to follow the state
/// (`centralManagerDidUpdateState`), or set the closures for the same purposes.
@BluetoothActor open class CentralManager {
    /// The framework's version (semver.org): the newest one in CHANGELOG.md.
    public nonisolated static let version = "0.1.0"

    /// The names of peripherals that interest the program; empty means all. `isKnownPeripheral` uses them, and scans do
    /// not report other peripherals.
    ///
    /// A device may have two names: one that it advertises, and one that is read once connected. BlueZ remembers the
    /// latter. Give both: "SensorTag" and "TI BLE Sensor Tag".
    public var knownPeripheralNames: Set<String>

    /// Whether Bluetooth can be used.
    public internal(set) var state = CentralManagerState.unknown

    /// Why Bluetooth cannot be used, and what to do. Nil if it can.
    public internal(set) var stateError: BluetoothError?

    /// Called whenever `state` changes. See also `centralManagerDidUpdateState`.
    public var stateHandler: (@BluetoothActor (CentralManager) -> Void)?

    /// Called for each event of adapters and links, whichever program causes it.
    public var eventHandler: (@BluetoothActor (CentralEvent) -> Void)?

    /// Builds the peripheral for a device that was found, if no subclass overrides `makePeripheral`.
    public var peripheralBuilder: (@BluetoothActor (DiscoveredDevice) -> Peripheral)?

    /// How long reading, writing, subscribing and unsubscribing may take, from the moment the request is sent.
    /// bluetoothd itself waits 30 s for a peripheral's response (src/shared/att.c: ATT_TIMEOUT_INTERVAL); with less
    /// than that, its own error may arrive too late to be reported.
    public var attributeTimeout = Timeouts.attribute { didSet { context.setAttributeLimit(attributeTimeout) } }

    /// How long a request may wait before it is sent: for earlier requests of the same characteristic or descriptor, or
    /// for a slot among the calls in flight. A request that waits longer ends with `BluetoothError.Code.timedOut`, and
    /// is not sent. `attributeTimeout` starts when it is sent. This limit also applies to connecting, which waits for
    /// earlier attempts.
    public var queueTimeout = Timeouts.queue { didSet { context.setQueueLimit(queueTimeout) } }

    /// Whether the links made by this manager's peripherals end with the manager. False by default: BlueZ's links are
    /// shared, and other managers or programs may use them too.
    public var disconnectsAtEnd = false

    /// The peripherals for which this manager has objects, in the order of their creation.
    public internal(set) var peripherals: [Peripheral] = []

    /// Called when the manager creates an object for a peripheral, or removes one from its list, with the index in
    /// `peripherals`. A copy of the list that applies each change stays equal to it.
    public var registryHandler: (@BluetoothActor (CentralManager, RegistryChange) -> Void)?

    /// Where the addresses of found peripherals are stored for later runs; nil, the default, stores nothing.
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
    /// The objects of devices that bluetoothd does not know now, as long as the program holds them: a device that comes
    /// back gets its object again.
    var formerPeripherals: [ObjectPath: WeakPeripheral] = [:]
    var scans: [ObjectIdentifier: Scan] = [:]
    /// The connections that are kept.
    var keptConnections: [ObjectIdentifier: KeptConnection<Peripheral>.StateHandler] = [:]
    var stateWaiters: [@BluetoothActor () -> Bool] = []
    /// Whether the initializers, including those of subclasses, have returned: hooks run only afterwards.
    var isReady = false

    /// Creates a manager, which starts to look for bluetoothd. `state` is `unknown` until the first change is reported,
    /// after the initializer has returned, even if other managers of the program know more.
    ///
    /// - Parameters:
    ///   - bus: the message bus; the system bus, or that of a simulator.
    ///   - adapter: the adapter's name ("hci0") or address; nil for the first one that is on, otherwise the first.
    ///   - knownPeripheralNames: see the property.
    public init(bus: BusAddress = .system, adapter: String? = nil, knownPeripheralNames: Set<String> = []) {
        adapterName = adapter
        self.knownPeripheralNames = knownPeripheralNames
        client = BlueZClient.shared(bus)
        context = RequestContext(client, operations)
        client.add(self)
        BluetoothActor.later { [weak self] in self?.begin() }
    }

    /// Reports what is already known.
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

    /// Builds the peripheral for a device that was found or known. Override it, or set `peripheralBuilder`, to return a
    /// subclass of `Peripheral` with your own services.
    open func makePeripheral(_ device: DiscoveredDevice) -> Peripheral {
        peripheralBuilder?(device) ?? Peripheral(device)
    }

    /// Whether the program is interested in a peripheral with this name. Override it for names that vary. It is called
    /// before the program gets a `Peripheral` for a device.
    open func isKnownPeripheral(_ device: DiscoveredDevice) -> Bool {
        guard !knownPeripheralNames.isEmpty else { return true }
        return device.name.map(knownPeripheralNames.contains) ?? false
    }

    /// Called for each peripheral that a scan reports, before the scan's own closure. Override it to handle found
    /// peripherals in one place.
    open func didFindPeripheral(_ peripheral: Peripheral, advertisement: AdvertisementData, rssi: Int?) {}

    /// Called when an attempt to connect has failed, after its completion; also for `Peripheral.reconnectPolicy`, but
    /// not if it was cancelled. Override it, or use `CentralEvent.failedToConnect`.
    open func didFailToConnect(_ peripheral: Peripheral, error: BluetoothError) {}

    /// Called when bluetoothd has begun to scan for this manager, which was not scanning before. Override it, or use
    /// `CentralEvent.scanBegan`.
    open func didBeginScanning() {}

    /// Called when this manager's last scan has ended, before its completion. Override it, or use
    /// `CentralEvent.scanEnded`.
    ///
    /// - Parameter error: the error if it failed. A scan with `ScanOptions.resumes` may begin again.
    open func didEndScanning(_ error: BluetoothError?) {}

    /// Starts the program's usual scan, and runs `completion` once when it has ended. Override it with a call to
    /// `scanForPeripherals(withServices:options:found:completion:)`. By default it scans for all known peripherals and
    /// passes them to `didFindPeripheral`.
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
    /// Called after `centralManagerDidUpdateState` when the bus refuses this user. Override it.
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
    /// Whether both are the same object.
    public nonisolated static func == (left: CentralManager, right: CentralManager) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
