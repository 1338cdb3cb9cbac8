import CoreBlueZ
import Observation

/// A central manager for a user interface. Its state and peripherals are isolated to the main actor, and can be
/// observed.
///
/// ```swift
/// let model = CentralModel { CentralManager(knownPeripheralNames: ["SensorTag"]) }
/// model.startScan()
/// ```
@MainActor @Observable public final class CentralModel {
    /// The manager, which is isolated to `BluetoothActor`.
    @BluetoothActor private final class Owner {
        var central: CentralManager?

        nonisolated init() {}
    }

    /// Whether Bluetooth can be used; `unknown` until bluetoothd has replied.
    public private(set) var state = CentralManagerState.unknown
    /// Why Bluetooth cannot be used, or why the last scan failed; otherwise nil.
    public private(set) var error: BluetoothError?
    /// Whether a scan is in progress.
    public private(set) var isScanning = false
    /// The peripherals, in the order in which they were found.
    public private(set) var peripherals: [PeripheralModel] = []

    @ObservationIgnored private let owner = Owner()

    /// Creates the manager, and observes it.
    ///
    /// - Parameter make: creates the manager, on `BluetoothActor`. Set its handlers here too, except `stateHandler`,
    ///   which this model uses.
    public init(_ make: @escaping @BluetoothActor () -> CentralManager = { CentralManager() }) {
        let report = BluetoothActor.onMainActor { [weak self] (state: CentralManagerState, error: BluetoothError?) in
            self?.state = state
            self?.error = error
        }
        BluetoothActor.perform { [owner] in
            let central = make()
            owner.central = central
            central.stateHandler = { report($0.state, $0.stateError) }
        }
    }

    /// Scans for peripherals until `stopScan`. Each is added once to `peripherals`. `error` reports why a scan failed.
    ///
    /// - Parameters:
    ///   - services: finds only peripherals that advertise one of these services; nil finds all.
    ///   - options: the transport, the duration, the minimum signal strength and so on.
    public func startScan(withServices services: [BluetoothUUID]? = nil, options: ScanOptions = ScanOptions()) {
        isScanning = true
        error = nil
        let found = BluetoothActor.onMainActor { [weak self] peripheral in self?.add(peripheral) }
        let ended = BluetoothActor.onMainActor { [weak self] error in self?.didEndScanning(error) }
        BluetoothActor.perform { [owner] in
            owner.central?.scanForPeripherals(
                withServices: services, options: options, found: { peripheral, _, _ in found(peripheral) },
                completion: ended)
        }
    }

    /// Ends the scan.
    public func stopScan() {
        BluetoothActor.perform { [owner] in owner.central?.stopScan() }
    }

    /// Runs `body` with the manager on `BluetoothActor`, after the bodies of earlier calls.
    public func perform(_ body: @escaping @BluetoothActor (CentralManager) -> Void) {
        BluetoothActor.perform { [owner] in if let central = owner.central { body(central) } }
    }

    private func add(_ peripheral: Peripheral) {
        guard !peripherals.contains(where: { $0.peripheral == peripheral }) else { return }
        // The device has a new object.
        peripherals.removeAll { $0.id == peripheral.id }
        peripherals.append(PeripheralModel(peripheral))
    }

    private func didEndScanning(_ error: BluetoothError?) {
        isScanning = false
        self.error = error
    }
}
