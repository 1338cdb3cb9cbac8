import CoreBlueZ

/// The application's only central manager. A port of the class of the same name in Deanna, the application for which
/// YmsCoreBluetooth was written.
///
/// It recognizes SensorTags by name, makes a `DEASensorTag` for each, remembers them across runs, and passes found and
/// remembered ones to the same closure.
public final class DEACentralManager: CentralManager {
    /// The manager; nil before `startShared`.
    public private(set) static var shared: DEACentralManager?

    /// Called once for each tag that is found or remembered.
    public var tagHandler: (@BluetoothActor (DEASensorTag) -> Void)?

    private var handled: Set<DEASensorTag> = []

    /// Creates the manager, unless there is one already.
    ///
    /// - Parameters:
    ///   - bus: the message bus; the system bus, or that of a simulator.
    ///   - stored: the store of remembered tags; nil remembers none.
    @discardableResult
    public static func startShared(bus: BusAddress = .system, stored: StoredPeripherals? = nil) -> DEACentralManager {
        if let shared { return shared }
        let manager = DEACentralManager(on: bus)
        manager.storedPeripherals = stored
        shared = manager
        return manager
    }

    /// Releases the manager: its operations end, but its links remain.
    public static func endShared() {
        shared = nil
    }

    private init(on bus: BusAddress) {
        super.init(bus: bus, adapter: nil, knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
    }

    /// Creates a tag for a device with a known name, otherwise a plain peripheral.
    override public func makePeripheral(_ device: DiscoveredDevice) -> Peripheral {
        isKnownPeripheral(device) ? DEASensorTag(device) : Peripheral(device)
    }

    /// Scans, and reports every advertisement, so that signal strengths are up to date.
    override public func startScan(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { [weak self] peripheral, _, _ in
            self?.handleFoundPeripheral(peripheral)
        } completion: { error in
            completion(error)
        }
    }

    /// Retrieves the remembered tags as soon as bluetoothd is available.
    override public func didPowerOn() {
        for peripheral in retrieveStoredPeripherals() { handleFoundPeripheral(peripheral) }
    }

    /// Handles found and remembered peripherals alike.
    private func handleFoundPeripheral(_ peripheral: Peripheral) {
        guard let tag = peripheral as? DEASensorTag, handled.insert(tag).inserted else { return }
        tagHandler?(tag)
    }
}
