import BlueZClient
import DBus

/// A scan in progress.
@BluetoothActor final class Scan {
    typealias Found = @BluetoothActor (Peripheral, AdvertisementData, Int?) -> Void

    let services: Set<BluetoothUUID>?
    /// The only device to look for, in a scan of the framework itself: the program neither sees nor ends it.
    let target: ObjectPath?
    /// The only address to look for.
    let address: BluetoothAddress?
    /// Whether the program has begun it, is notified of it, and ends it with `stopScan`.
    let isProgramsOwn: Bool
    let options: ScanOptions
    var found: Found
    /// Called when a device gets a link.
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

    /// Makes a scan for a device that the framework is to connect.
    init(searchingFor services: Set<BluetoothUUID>?, address: BluetoothAddress?) {
        self.services = services
        options = ScanOptions()
        found = { _, _, _ in }
        target = nil
        self.address = address
        isProgramsOwn = false
    }

    /// Makes a scan for one device, which succeeds when the device is heard.
    init(for target: ObjectPath, options: ScanOptions) {
        services = nil
        self.options = options
        found = { _, _, _ in }
        self.target = target
        address = nil
        isProgramsOwn = false
    }

    /// bluetoothd has forgotten a device: if it comes back, it is reported again.
    func forget(_ device: ObjectPath) {
        reported[device] = nil
        monitor?.forget(device)
    }

    /// Whether a device is certainly not one of classic Bluetooth; if the scan also looks for LE, probably not. Not
    /// every classic device has a class, and none has a random address.
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
