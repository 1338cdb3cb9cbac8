import CoreBlueZ
import Dispatch

/// Finds peripherals and connects them. Any thread can use the manager and its peripherals. The delegates are called on
/// the manager's queue.
///
/// If more than 1,024 events wait because the queue is busy, some of what peripherals send is dropped, and how much is
/// logged: the delegates get the last 1,024 values of each characteristic, the last discovery of each peripheral, and
/// everything else.
open class CBCentralManager: CBManager {
    /// Gets the events.
    open var delegate: (any CBCentralManagerDelegate)? {
        get { findDelegate() }
        set { findDelegate = { [weak newValue] in newValue } }
    }

    @Locked private var findDelegate: () -> (any CBCentralManagerDelegate)? = { nil }
    private let mailbox: Mailbox
    let bridge: CentralBridge
    @Locked var peripherals = PeripheralTable()
    @Locked var scan = (number: 0, isOn: false)
    @Locked private var lastConnection = 0

    /// Creates a manager on the main queue, without a delegate.
    public convenience override init() {
        self.init(delegate: nil, queue: nil)
    }

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - delegate: gets the events.
    ///   - queue: a serial queue for the delegates' calls; nil means the main queue.
    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// Creates a manager, with options such as `CBCentralManagerOptionBlueZBusAddressKey`.
    public init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil) {
        let address = options?[CBCentralManagerOptionBlueZBusAddressKey] as? String
        let adapter = options?[CBCentralManagerOptionBlueZAdapterKey] as? String
        let store = options?[CBCentralManagerOptionBlueZStoreKey] as? String
        mailbox = Mailbox(queue ?? .main)
        bridge = CentralBridge(mailbox, address.map { .address($0) } ?? .system)
        super.init()
        self.delegate = delegate
        mailbox.setDelivery(DispatchWorkItem { [weak self] in self?.deliver() })
        BluetoothActor.perform { [bridge] in bridge.start(adapter: adapter, store: store) }
        if options?[CBCentralManagerOptionRestoreIdentifierKey] != nil {
            Misuse.warn("\(self) restores no state: on Linux, nothing keeps it")
        }
    }

    deinit {
        BluetoothActor.perform { [bridge] in bridge.stop() }
    }

    private func deliver() {
        for event in mailbox.take() { handle(event) }
        mailbox.finishDelivery()
    }

    /// Whether a scan of this manager is in progress.
    open var isScanning: Bool { scan.isOn }

    /// Returns whether the system has features: none on Linux, where bluetoothd does not say.
    open class func supports(_ features: Feature) -> Bool { features.isEmpty }

    /// Returns the peripherals with these identifiers that are known, in the same order. `connect(_:options:)` finds
    /// those that are not in range when they are back.
    ///
    /// A peripheral is known if bluetoothd knows it, whichever program has found it, or has forgotten it since the
    /// manager was created; of the latter, the last 1,000 are known. bluetoothd remembers a device that a program has
    /// tried to connect, also after a restart, and others for 30 s after their last advertisement (BlueZ 5.87,
    /// src/device.c: btd_device_set_temporary). It does not remember private addresses without pairing. To know
    /// further peripherals in later runs, use `CBCentralManagerOptionBlueZStoreKey`.
    open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard isUsable else { return [] }
        return identifiers.compactMap { identifier in
            presentPeripheral(identifier)
                ?? bridge.directory[identifier].map { peripheral($0.identifier, name: $0.name) }
        }
    }

    /// Returns the peripherals that are connected, by this program or another, and have one of the services. Call
    /// `connect(_:options:)` before you use one.
    open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        guard isUsable else { return [] }
        return bridge.directory.connected(with: serviceUUIDs.map(\.value)).map { entry in
            peripheral(entry.identifier, name: entry.name)
        }
    }

    /// Scans until `stopScan()`, in place of an earlier scan. The delegate gets each peripheral once, and again when it
    /// advertises something new.
    ///
    /// - Parameters:
    ///   - serviceUUIDs: finds only peripherals that advertise one of these services; nil or none finds all.
    ///   - options: `CBCentralManagerScanOptionAllowDuplicatesKey` reports each advertisement.
    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        guard isUsable else { return }
        if options?[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] != nil {
            Misuse.warn("CBCentralManagerScanOptionSolicitedServiceUUIDsKey has no effect on Linux")
        }
        let number = $scan.withLock { scan in
            scan = (scan.number + 1, true)
            return scan.number
        }
        let services = serviceUUIDs.flatMap { $0.isEmpty ? nil : $0.map(\.value) }
        let allowsDuplicates = flag(CBCentralManagerScanOptionAllowDuplicatesKey, in: options)
        BluetoothActor.perform { [bridge] in
            bridge.startScan(number, services, allowDuplicates: allowsDuplicates)
        }
    }

    /// Ends the scan.
    open func stopScan() {
        guard isUsable else { return }
        $scan.withLock { $0.isOn = false }
        BluetoothActor.perform { [bridge] in bridge.stopScan() }
    }

    /// Connects a peripheral, whenever it is in range: there is no timeout. To give up, call
    /// `cancelPeripheralConnection(_:)`, or release the peripheral.
    ///
    /// - Parameters:
    ///   - peripheral: a peripheral of this manager.
    ///   - options: options such as `CBConnectPeripheralOptionEnableAutoReconnect`.
    open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard isUsable, owns(peripheral) else { return }
        for key in [CBConnectPeripheralOptionEnableTransportBridgingKey, CBConnectPeripheralOptionRequiresANCS]
        where flag(key, in: options) {
            Misuse.warn("The option \(key) has no effect on Linux")
        }
        let number = $lastConnection.withLock { last in
            last += 1
            return last
        }
        switch peripheral.$link.withLock({ $0.begin(number) }) {
        case .connecting: return
        case .connected:
            return BluetoothActor.perform { [bridge, identifier = peripheral.identifier] in
                bridge.confirmConnection(identifier)
            }
        case .disconnected, .disconnecting: break
        }
        var request = ConnectionRequest(identifier: peripheral.identifier, number: number)
        request.reconnects = flag(CBConnectPeripheralOptionEnableAutoReconnect, in: options)
        if let delay = options?[CBConnectPeripheralOptionStartDelayKey] as? NSNumber {
            request.delay = .milliseconds(Int64(max(0, min(delay.doubleValue, 1e6)) * 1000))
        }
        BluetoothActor.perform { [bridge, request] in bridge.connect(request) }
    }

    /// Ends the link to a peripheral, or the attempts to connect it. If another manager of the program uses the link, or
    /// another program has made it, it stays, but for this manager it has ended.
    open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard isUsable, owns(peripheral), let number = peripheral.$link.withLock({ $0.cancel() }) else { return }
        BluetoothActor.perform { [bridge, identifier = peripheral.identifier] in
            bridge.cancelConnection(identifier, number)
        }
    }

    /// Would register for connections of other programs. Does nothing on Linux but add a line to the log.
    open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
        Misuse.warn("\(self) reports no connection events on Linux; call retrieveConnectedPeripherals(withServices:)")
    }

    /// The class and the address.
    open override var description: String { "<\(type(of: self)): \(Misuse.address(of: self))>" }

    // MARK: Checks

    private var isUsable: Bool {
        if state == .poweredOn { return true }
        Misuse.report("\(self) can only accept this command while in the powered on state")
        return false
    }

    private func owns(_ peripheral: CBPeripheral) -> Bool {
        if presentPeripheral(peripheral.identifier) === peripheral { return true }
        Misuse.report("\(peripheral) belongs to another manager than \(self)")
        return false
    }

    private func flag(_ key: String, in options: [String: Any]?) -> Bool {
        switch options?[key] {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        default: false
        }
    }
}
