import BlueZClient
import DBus

/// A scan in progress.
@BluetoothActor final class Scan {
    typealias Found = @BluetoothActor (Peripheral, AdvertisementData, Int?) -> Void

    let services: Set<BluetoothUUID>?
    /// The only device to look for, for the framework itself: the program is not notified of the scan and does not end
    /// it.
    let target: ObjectPath?
    /// The only address that is looked for.
    let address: BluetoothAddress?
    /// Whether the program has begun it, hears of it, and ends it by `stopScan`.
    let isProgramsOwn: Bool
    let options: ScanOptions
    var found: Found
    /// Called with a device that has got a link.
    var linked: (@BluetoothActor (Peripheral) -> Void)?
    var discovery: Discovery?
    var monitor: PassiveMonitor?
    weak var operation: Operation<Void>?
    var hasBegun = false
    /// Whether bluetoothd scans for it.
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

    /// Looks for what the framework shall connect.
    init(searchingFor services: Set<BluetoothUUID>?, address: BluetoothAddress?) {
        self.services = services
        options = ScanOptions()
        found = { _, _, _ in }
        target = nil
        self.address = address
        isProgramsOwn = false
    }

    /// Looks for one device. The scan succeeds when the device is heard.
    init(for target: ObjectPath, options: ScanOptions) {
        services = nil
        self.options = options
        found = { _, _, _ in }
        self.target = target
        address = nil
        isProgramsOwn = false
    }

    /// bluetoothd has forgotten a device: if it comes back, that is news.
    func forget(_ device: ObjectPath) {
        reported[device] = nil
        monitor?.forget(device)
    }

    /// Whether a device is surely, or while LE is looked for too probably, none of classic Bluetooth. Not each has a class,
    /// and none has a random address.
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

    /// Whether bluetoothd's report about a device is for this scan.
    func hears(_ device: ObjectPath) -> Bool { discovery != nil || monitor?.hears(device) == true }
}
