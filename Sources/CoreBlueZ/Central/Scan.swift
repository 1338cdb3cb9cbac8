import DBus

/// A scan under way.
@BluetoothActor final class Scan {
    typealias Found = @BluetoothActor (Peripheral, AdvertisementData, Int?) -> Void

    let services: Set<BluetoothUUID>?
    /// The only device that is looked for, by the framework itself: the program hears nothing of the scan, and does not end
    /// it.
    let target: ObjectPath?
    let options: ScanOptions
    var found: Found
    var discovery: Discovery?
    var monitor: PassiveMonitor?
    weak var operation: Operation<Void>?
    var hasBegun = false
    var reported: [ObjectPath: AdvertisementData] = [:]

    init(services: Set<BluetoothUUID>?, options: ScanOptions, found: @escaping Found) {
        self.services = services
        self.options = options
        self.found = found
        target = nil
    }

    /// Looks for one device. The scan succeeds when it is heard.
    init(for target: ObjectPath, options: ScanOptions) {
        services = nil
        self.options = options
        found = { _, _, _ in }
        self.target = target
    }

    /// bluetoothd has forgotten a device: what comes back is news.
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

    /// Whether what bluetoothd tells of a device is for this scan.
    func hears(_ device: ObjectPath) -> Bool { discovery != nil || monitor?.hears(device) == true }
}
