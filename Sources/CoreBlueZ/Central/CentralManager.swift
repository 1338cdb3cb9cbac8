import DBus

/// The Bluetooth adapter as a program sees it: finds peripherals and owns them.
///
/// Make one, keep it, and ask it to scan. All managers of a process that use the same bus share one connection to
/// bluetoothd. A manager that goes away ends its pending operations with `BluetoothError.Code.cancelled` and gives back
/// its scans and subscriptions; peripherals are still connected then, unless they were disconnected before. So they are
/// when the program ends: BlueZ keeps the link, and a peripheral that is connected does not advertise, so that the next
/// scan does not find it.
///
/// Subclass it to build one's own `Peripheral` subclasses (`makePeripheral`) and to follow the state
/// (`centralManagerDidUpdateState`), or set the closures of the same purpose.
@BluetoothActor open class CentralManager {
    /// The framework's version (semver.org): the newest of CHANGELOG.md.
    public nonisolated static let version = "0.1.0"

    /// The names of peripherals that the program is interested in; empty means all. Used by `isKnownPeripheral`, and by
    /// scans: other peripherals are not reported.
    ///
    /// A device may have two names, the advertised one and the one that it tells when connected; BlueZ remembers the
    /// latter. Give both: "SensorTag" and "TI BLE Sensor Tag".
    public var knownPeripheralNames: Set<String>

    /// Whether Bluetooth can be used.
    public internal(set) var state = CentralManagerState.unknown

    /// Why Bluetooth cannot be used, where it cannot: what is wrong and what to do.
    public internal(set) var stateError: BluetoothError?

    /// Called whenever `state` changes. See also `centralManagerDidUpdateState`.
    public var stateHandler: (@BluetoothActor (CentralManager) -> Void)?

    /// Called with what happens to adapters and links, whoever makes it happen: for programs that watch.
    public var eventHandler: (@BluetoothActor (CentralEvent) -> Void)?

    /// Builds the peripheral for a device that was found, where no subclass overrides `makePeripheral`.
    public var peripheralBuilder: (@BluetoothActor (DiscoveredDevice) -> Peripheral)?

    /// How long reading, writing, subscribing and unsubscribing may take, from the moment the request is sent. bluetoothd itself gives a peripheral 30 s to
    /// answer (src/shared/att.c: ATT_TIMEOUT_INTERVAL); with less than that, its own error may come too late to be
    /// told.
    public var attributeTimeout = Timeout.attribute

    /// How long a request may wait for its turn before it is sent: behind earlier requests of the same characteristic or
    /// descriptor, or for a place among the calls in flight. A request that waits longer ends with
    /// `BluetoothError.Code.timedOut`, and is not sent. `attributeTimeout` begins when it is sent. Connecting waits here
    /// for the attempts before it.
    public var queueTimeout = Timeout.queue

    /// Whether the links that this manager's peripherals made end with the manager. Off at first: BlueZ's links belong
    /// to nobody, and another manager or program may use them too.
    public var disconnectsAtEnd = false

    /// Called when the manager gets an object for a peripheral, and when one is taken out of its list.
    public var registryHandler: (@BluetoothActor (CentralManager, RegistryChange) -> Void)?

    /// Where the addresses of found peripherals are stored over the program's runs; nil, as at first, stores nothing.
    public var storedPeripherals: StoredPeripherals?

    let stateConsumers = EventConsumers<CentralManagerState>()
    let eventConsumers = EventConsumers<CentralEvent>()
    var eventObservers: [ObjectIdentifier: @BluetoothActor (CentralEvent) -> Void] = [:]
    let adapterName: String?
    let client: BlueZClient
    let operations = OperationRegistry()
    var peripheralsByPath: [ObjectPath: Peripheral] = [:]
    /// The objects of devices that bluetoothd does not know now, as long as somebody has them: a device that comes back
    /// gets its object again.
    var formerPeripherals: [ObjectPath: WeakPeripheral] = [:]
    var scans: [ObjectIdentifier: Scan] = [:]
    var stateWaiters: [@BluetoothActor () -> Bool] = []
    /// Whether the initializers, those of subclasses too, have returned: hooks run from then on.
    var isReady = false

    /// Makes a manager and begins to look for bluetoothd. `state` is `unknown` until the first change is reported, after the
    /// initializer has returned, also if other managers of the program know more.
    ///
    /// - Parameters:
    ///   - bus: the message bus; the system bus, or that of a simulator.
    ///   - adapter: the adapter's name ("hci0") or address; nil for the first one that is on, or else the first.
    ///   - knownPeripheralNames: see the property.
    public init(bus: BusAddress = .system, adapter: String? = nil, knownPeripheralNames: Set<String> = []) {
        adapterName = adapter
        self.knownPeripheralNames = knownPeripheralNames
        client = BlueZClient.shared(bus)
        client.add(self)
        BluetoothActor.later { [weak self] in self?.begin() }
    }

    /// Reports what is known already.
    private func begin() {
        isReady = true
        updateState()
        reportPresent()
    }

    isolated deinit {
        client.remove(ObjectIdentifier(self))
        client.agent.remove(of: ObjectIdentifier(self))
        client.profiles.remove(of: ObjectIdentifier(self))
        let error = BluetoothError(.cancelled, "The central manager is gone")
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
    /// subclass of `Peripheral` with services of one's own.
    open func makePeripheral(_ device: DiscoveredDevice) -> Peripheral {
        peripheralBuilder?(device) ?? Peripheral(device)
    }

    /// Whether a peripheral of this name is one that the program is interested in. Override it for names that vary.
    /// It is asked before the program gets a `Peripheral` for a device.
    open func isKnownPeripheral(_ device: DiscoveredDevice) -> Bool {
        guard !knownPeripheralNames.isEmpty else { return true }
        return device.name.map(knownPeripheralNames.contains) ?? false
    }

    /// Called with each peripheral that a scan reports, before the scan's own closure. Override it to handle found
    /// peripherals in one place.
    open func didFindPeripheral(_ peripheral: Peripheral, advertisement: AdvertisementData, rssi: Int?) {}

    /// Begins the scan that the program usually wants, and runs `completion` once when it has ended. Override it with a
    /// call to `scanForPeripherals(withServices:options:found:completion:)`; here it scans for all known peripherals,
    /// which `didFindPeripheral` gets.
    open func startScan(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        scanForPeripherals(found: { _, _, _ in }, completion: completion)
    }

    /// Called after `centralManagerDidUpdateState` when Bluetooth can be used. Override it.
    open func didPowerOn() {}
    /// Called after `centralManagerDidUpdateState` when the adapter is off. Override it.
    open func didPowerOff() {}
    /// Called after `centralManagerDidUpdateState` when bluetoothd or the bus was lost; another state follows within some
    /// seconds. Override it.
    open func didReset() {}
    /// Called after `centralManagerDidUpdateState` when the bus refuses this user. Override it.
    open func didBecomeUnauthorized() {}
    /// Called after `centralManagerDidUpdateState` when there is no bluetoothd, or no adapter. Override it.
    open func didBecomeUnsupported() {}
    /// Called after `centralManagerDidUpdateState` when bluetoothd has come back after a longer absence, and has not said
    /// yet what adapters there are. Override it.
    open func didBecomeUnknown() {}

    /// Called whenever `state` changes. Override it, or set `stateHandler`.
    open func centralManagerDidUpdateState() {
        stateHandler?(self)
    }
}

extension CentralManager: Hashable, Identifiable {
    /// Whether both are the same object.
    public nonisolated static func == (left: CentralManager, right: CentralManager) -> Bool { left === right }

    /// By identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
