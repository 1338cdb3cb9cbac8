import CoreBlueZ

/// The one central manager of the application. A port of the class of the same name of Deanna, the application that
/// YmsCoreBluetooth was written for.
///
/// It knows SensorTags by name, makes a `DEASensorTag` of each, remembers them over the program's runs, and gives found
/// and remembered ones to the same closure.
public final class DEACentralManager: CentralManager {
    /// The manager; nil before `startShared`.
    public private(set) static var shared: DEACentralManager?

    /// Called with each tag that is found or remembered, once for each.
    public var tagHandler: (@BluetoothActor (DEASensorTag) -> Void)?

    private var handled: Set<DEASensorTag> = []

    /// Makes the manager, unless there is one already.
    ///
    /// - Parameters:
    ///   - bus: the message bus; the system bus, or that of a simulator.
    ///   - stored: where tags are remembered; nil remembers none.
    @discardableResult
    public static func startShared(bus: BusAddress = .system, stored: StoredPeripherals? = nil) -> DEACentralManager {
        if let shared { return shared }
        let manager = DEACentralManager(on: bus)
        manager.storedPeripherals = stored
        shared = manager
        return manager
    }

    /// Releases the manager: its operations end, links stay.
    public static func endShared() {
        shared = nil
    }

    private init(on bus: BusAddress) {
        super.init(bus: bus, adapter: nil, knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
    }

    /// Makes a tag of what is known by its name, and a plain peripheral of what is not.
    override public func makePeripheral(_ device: DiscoveredDevice) -> Peripheral {
        isKnownPeripheral(device) ? DEASensorTag(device) : Peripheral(device)
    }

    /// Scans, and hears of every advertisement, so that signal strengths are up to date.
    override public func startScan(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { [weak self] peripheral, _, _ in
            self?.handleFoundPeripheral(peripheral)
        } completion: { error in
            completion(error)
        }
    }

    /// Brings back the tags that are remembered, as soon as bluetoothd can be asked.
    override public func didPowerOn() {
        for peripheral in retrieveStoredPeripherals() { handleFoundPeripheral(peripheral) }
    }

    /// What is found and what is remembered is treated alike.
    private func handleFoundPeripheral(_ peripheral: Peripheral) {
        guard let tag = peripheral as? DEASensorTag, handled.insert(tag).inserted else { return }
        tagHandler?(tag)
    }
}
