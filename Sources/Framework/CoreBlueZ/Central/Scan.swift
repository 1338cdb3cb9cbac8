import BlueZClient
import BlueZDBus

/// A scan in progress.
@BluetoothActor final class Scan {
    typealias Found = @BluetoothActor (Peripheral, AdvertisementData, Int?) -> Void

    let services: Set<BluetoothUUID>?
    /// The only device to look for, in a scan that the framework makes for itself. The program does not see it, and
    /// `stopScan` does not end it.
    let target: ObjectPath?
    /// The only address to look for.
    let address: BluetoothAddress?
    /// Whether the program started the scan, gets its results, and can end it with `stopScan`.
    let isProgramsOwn: Bool
    let options: ScanOptions
    var found: Found
    /// Called when a device is connected, by this program or another.
    var linked: (@BluetoothActor (Peripheral) -> Void)?
    var discovery: Discovery?
    var monitor: PassiveMonitor?
    weak var operation: Operation<Void>?
    var hasBegun = false
    /// Whether bluetoothd has begun to scan.
    var isUnderWay = false
    var reported: [ObjectPath: AdvertisementData] = [:]

    init(services: Set<BluetoothUUID>?, options: ScanOptions, found: @escaping Found) {
        self.services = services
        self.options = options
        self.found = found
        target = nil
        address = nil
        isProgramsOwn = true
    }

    /// Creates a scan for a device that the framework will connect.
    init(searchingFor services: Set<BluetoothUUID>?, address: BluetoothAddress?) {
        self.services = services
        options = ScanOptions()
        found = { _, _, _ in }
        target = nil
        self.address = address
        isProgramsOwn = false
    }

    /// Creates a scan for one device. It succeeds when the device advertises.
    init(for target: ObjectPath, options: ScanOptions) {
        services = nil
        self.options = options
        found = { _, _, _ in }
        self.target = target
        address = nil
        isProgramsOwn = false
    }

    /// Forgets a device that bluetoothd has forgotten. If it comes back, it is reported again.
    func forget(_ device: ObjectPath) {
        reported[device] = nil
        monitor?.forget(device)
    }

    /// Whether a device is not a classic one: certainly or, if the scan also looks for LE, probably. Not every classic
    /// device reports a class, and none has a random address.
    func isForeign(_ device: DeviceProperties) -> Bool {
        guard device.deviceClass == nil else { return false }
        return device.addressKind == .random || discovery?.looksForBoth == true
    }

    func leave() {
        discovery?.remove(ObjectIdentifier(self))
        discovery = nil
        monitor?.end()
        monitor = nil
    }

    /// Whether bluetoothd's report about a device belongs to this scan.
    func hears(_ device: ObjectPath) -> Bool { discovery != nil || monitor?.hears(device) == true }
}
