import CoreBlueZ
import FoundationEssentials

/// Finds Tx/Rx devices, which take commands and reply through one of the serial profiles.
///
/// A scan finds all devices, because most do not advertise their service. Only devices with a known profile become
/// ready. Everything that happens is reported by completions, by `eventHandler`, and by `events()`.
@BluetoothActor public final class TxRxCentral {
    /// The manager that finds the devices.
    public let central: CentralManager
    /// The profiles that devices may have, in this order.
    public var profiles: [SerialProfile]
    /// The timeouts of connections and commands.
    public var timeouts = TxRxTimeouts()
    /// Called with all events.
    public var eventHandler: (@BluetoothActor (TxRxEvent) -> Void)?
    /// Whether a scan is in progress.
    public private(set) var isScanning = false
    /// The devices of the last scan, in the order in which they were found: at most 1,000. If another one is found, the
    /// first that is neither connected nor being connected is removed. If it advertises again, it is reported as found
    /// again, with another object.
    public private(set) var devices: [TxRxDevice] = []

    /// The limit of `devices`. Devices that change their addresses, as most phones do, would otherwise fill the memory
    /// during a long scan.
    var deviceLimit = 1_000
    private var foundCount = 0
    private var known: [ObjectIdentifier: TxRxDevice] = [:]
    private let consumers = EventConsumers<TxRxEvent>()
    /// The observers in this library, which get the events in addition to the program.
    private var observers: [ObjectIdentifier: @BluetoothActor (TxRxEvent) -> Void] = [:]
    private var hasScanBegun = false
    private var observation: EventObservation?

    /// Creates a central that uses a manager.
    public init(_ central: CentralManager, profiles: [SerialProfile] = SerialProfile.recognizable) {
        self.central = central
        self.profiles = profiles
    }

    isolated deinit {
        consumers.finish()
    }

    // MARK: Scanning

    /// Scans for devices until `stopScan`.
    ///
    /// - Parameter completion: called when the scan has ended. It gets nil after `stopScan`, `scanInProgress` if a scan
    ///   was already in progress, or a code of
    ///   `CentralManager.scanForPeripherals(withServices:options:found:completion:)`.
    public func startScan(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard !isScanning else {
            let error = BluetoothError(.scanInProgress, "A scan is already in progress; stop it first")
            return BluetoothActor.perform { [self] in
                report(.scanFailed(error))
                completion(error)
            }
        }
        isScanning = true
        devices = []
        foundCount = 0
        known = known.filter { $0.value.isInUse }
        hasScanBegun = false
        // Another scan of the manager may be in progress.
        if central.isScanning { scanDidBegin() }
        observation = central.observeEvents { [weak self] event in
            if case .scanBegan = event { self?.scanDidBegin() }
        }
        central.scanForPeripherals(withServices: nil) { [weak self] peripheral, _, _ in
            self?.found(peripheral)
        } completion: { [weak self] error in
            self?.didEndScan(error)
            completion(error)
        }
    }

    private func scanDidBegin() {
        guard isScanning, !hasScanBegun else { return }
        hasScanBegun = true
        report(.scanBegan)
    }

    private func didEndScan(_ error: BluetoothError?) {
        observation = nil
        if error == nil { scanDidBegin() }
        isScanning = false
        reportFailure(of: error)
        report(error.map { .scanFailed($0) } ?? .scanEnded)
    }

    /// Scans for devices until `stopScan`; the async form of `startScan(completion:)`. Cancelling the task ends the
    /// scan.
    public func startScan() async throws(BluetoothError) {
        let isOurs = !isScanning
        try await AsyncBridge.wait { completion in
            startScan { completion(Result(failure: $0)) }
            return Cancellation { [central] _ in if isOurs { central.stopScan() } }
        }
    }

    /// Ends the scan. `scanEnded` reports when it has ended. Without a scan, `scanFailed` reports `notScanning`.
    public func stopScan() {
        guard isScanning else {
            return report(.scanFailed(BluetoothError(.notScanning, "There is no scan to stop")))
        }
        central.stopScan()
    }

    private func found(_ peripheral: Peripheral) {
        let key = ObjectIdentifier(peripheral)
        let former = known[key]
        scanDidBegin()
        guard isScanning, former == nil || !devices.contains(where: { $0 === former }) else { return }
        let device = former ?? TxRxDevice(peripheral, index: foundCount, central: self)
        device.index = foundCount
        foundCount += 1
        known[key] = device
        devices.append(device)
        if devices.count > deviceLimit { removeFirst() }
        report(.found(device))
    }

    private func removeFirst() {
        guard let index = devices.firstIndex(where: { !$0.isInUse }) else { return }
        known[ObjectIdentifier(devices.remove(at: index).peripheral)] = nil
    }

    // MARK: Looking up

    /// Returns the first device with a name, ignoring case.
    public func device(named name: String) -> TxRxDevice? {
        devices.first { $0.name.lowercased() == name.lowercased() }
    }

    /// Returns the device with an indexed name, ignoring case.
    public func device(withIndexedName name: String) -> TxRxDevice? {
        devices.first { $0.indexedName.lowercased() == name.lowercased() }
    }

    // MARK: Events

    /// Returns all events from now on, for one consumer.
    ///
    /// - Parameter limit: how many events are buffered for a slow consumer. If there are more, the sequence throws
    ///   `BluetoothError.Code.overflow`.
    public func events(bufferingUpTo limit: Int = 1024) -> EventSequence<TxRxEvent> {
        consumers.makeSequence(bufferingUpTo: limit)
    }

    func addObserver(_ key: ObjectIdentifier, _ body: @escaping @BluetoothActor (TxRxEvent) -> Void) {
        observers[key] = body
    }

    func removeObserver(_ key: ObjectIdentifier) { observers[key] = nil }

    /// Reports errors of Bluetooth itself, not of a device.
    func reportFailure(of error: BluetoothError?) {
        let codes: [BluetoothError.Code] = [
            .daemonUnavailable, .busUnavailable, .accessDenied, .adapterOff, .adapterGone,
        ]
        if let error, codes.contains(error.code) { report(.failed(error)) }
    }

    func report(_ event: TxRxEvent) {
        consumers.append(event)
        for observer in observers.values { observer(event) }
        eventHandler?(event)
    }
}
