import BlueZClient
import BlueZDBus

extension CentralManager: ClientObserver {
    /// Returns the peripheral with an address, if bluetoothd knows it from a scan or remembers it. Returns nil if
    /// bluetoothd does not know the address or has not replied yet.
    public func retrievePeripheral(withIdentifier address: BluetoothAddress) -> Peripheral? {
        let adapterPath = adapterPath
        let path = client.mirror.devices.first { $0.value.address == address && $0.value.isOn(adapterPath) }?.key
        return path.map(peripheral(at:))
    }

    /// Returns all peripherals that bluetoothd knows, whether it has just found them, is connected to them or remembers
    /// them.
    public func retrieveKnownPeripherals() -> [Peripheral] {
        let adapterPath = adapterPath
        return client.mirror.devices.filter { $0.value.isOn(adapterPath) }.keys.sorted().map(peripheral(at:))
    }

    /// Returns the object for a device, which the path identifies. There is only one object per device.
    package func peripheral(at path: ObjectPath) -> Peripheral {
        if let peripheral = peripheralsByPath[path] { return peripheral }
        let former = formerPeripherals.removeValue(forKey: path)?.peripheral
        let peripheral = former ?? makePeripheral(DiscoveredDevice(path: path, central: self))
        peripheralsByPath[path] = peripheral
        append(peripheral)
        return peripheral
    }

    /// Returns the object for a device, if bluetoothd knows the device or the program holds the object.
    func existingPeripheral(at path: ObjectPath) -> Peripheral? {
        peripheralsByPath[path] ?? formerPeripherals[path]?.peripheral
    }

    /// Releases the object of a device that bluetoothd has forgotten, unless its link is being brought back. References
    /// elsewhere keep it.
    func releaseIfGone(_ peripheral: Peripheral) {
        let path = peripheral.path
        guard client.mirror.devices[path] == nil, !peripheral.isReconnecting, peripheralsByPath[path] === peripheral
        else { return }
        peripheralsByPath[path] = nil
        formerPeripherals[path] = WeakPeripheral(peripheral: peripheral)
        takeOut(peripheral)
    }

    /// Called when the last reference to the object of a device that bluetoothd has forgotten is gone.
    func forgetFormer(_ path: ObjectPath) {
        if formerPeripherals[path]?.peripheral == nil { formerPeripherals[path] = nil }
    }

    // MARK: What bluetoothd reports

    package func servicesWereModified(of device: ObjectPath) {
        peripheralsByPath[device]?.servicesWereModified()
    }

    package func mirrorDidChange(_ change: Mirror.Change) {
        defer { reportEvent(change) }
        switch change.kind {
        case .adapterAdded, .attributesAdded: break
        case .adapterChanged(let wasPowered):
            guard wasPowered, client.mirror.adapters[change.path]?.isPowered == false else { return }
            operations.failAll(below: change.path, BluetoothError(.adapterOff, "The adapter was switched off"))
        case .adapterRemoved:
            operations.failAll(below: change.path, BluetoothError(.adapterGone, "The adapter was unplugged"))
        case .deviceAdded(let device):
            takeBack(change.path)
            if listsFoundDevices, device.isOn(adapterPath) { _ = peripheral(at: change.path) }
            reportLink(change.path, device)
            if device.isHeard { reportAdvertisement(change.path, device) }
        case .deviceChanged(let device, let what):
            peripheralsByPath[change.path]?.propertiesDidChange(what)
            if what.contains(.connected) { reportLink(change.path, device) }
            if isAdvertisement(what, of: device) { reportAdvertisement(change.path, device) }
        case .deviceRemoved:
            for scan in scans.values { scan.forget(change.path) }
            guard let peripheral = peripheralsByPath[change.path] else { return }
            let wasConnected = peripheral.state != .disconnected
            peripheral.wasRemoved()
            // Removal ends a link without a further signal.
            if wasConnected { tell(.disconnected(peripheral)) }
            releaseIfGone(peripheral)
        case .attributeRemoved:
            operations.failUnlessExplained(
                below: change.path,
                BluetoothError(.attributeGone, "The attribute is gone; discover the services again")
            )
            peripheral(above: change.path)?.attributeWasRemoved(change.path)
        }
    }

    /// Reports a link to the scans. If another program has connected the peripheral that a scan looks for, the
    /// peripheral does not advertise.
    private func reportLink(_ path: ObjectPath, _ device: DeviceProperties) {
        for scan in scans.values where device.isConnected && device.isOn(adapterPath) {
            scan.linked?(peripheral(at: path))
        }
    }

    /// Called when a device is back whose object the program has kept.
    private func takeBack(_ path: ObjectPath) {
        guard formerPeripherals[path]?.peripheral != nil else { return }
        peripheral(at: path).wasListedAgain()
    }

    /// Whether a change was advertised. Some properties change only with advertisements. The name and the services are
    /// also read from a connected device, so they count only without a link and while the device is heard.
    private func isAdvertisement(_ changes: DeviceProperties.Changes, of device: DeviceProperties) -> Bool {
        if changes.contains(.advertisement) { return true }
        return changes.concernDescription && device.isHeard && !device.isConnected
    }

    func peripheral(above attribute: ObjectPath) -> Peripheral? {
        var path = attribute.parent
        while let current = path {
            if let peripheral = peripheralsByPath[current] { return peripheral }
            path = current.parent
        }
        return nil
    }

    /// Called when bluetoothd or the bus is gone. All links count as lost.
    package func clientWasLost(_ devices: [ObjectPath], _ error: BluetoothError) {
        operations.fail { operation in operation.subject == nil ? nil : error }
        for path in devices {
            guard let peripheral = peripheralsByPath[path] else { continue }
            peripheral.didLoseConnection(error)
            tell(.disconnected(peripheral))
        }
        for peripheral in peripheralsByPath.values { peripheral.unbind() }
    }

    /// Called when bluetoothd is back. It may have forgotten some devices.
    package func releaseGone() {
        for peripheral in peripherals { releaseIfGone(peripheral) }
    }
}

/// A weak reference to an object that the program holds.
struct WeakPeripheral {
    weak var peripheral: Peripheral?
}

/// A device that bluetoothd reported. `CentralManager.makePeripheral(_:)` creates a `Peripheral` from it.
@BluetoothActor public struct DiscoveredDevice {
    let path: ObjectPath
    let central: CentralManager

    private var properties: DeviceProperties? { central.client.mirror.devices[path] }

    init(path: ObjectPath, central: CentralManager) {
        self.path = path
        self.central = central
    }

    /// Creates the device of a peripheral; nil if the peripheral's manager is gone.
    public init?(_ peripheral: Peripheral) {
        guard let central = peripheral.central else { return nil }
        self.init(path: peripheral.path, central: central)
    }

    /// The device's name, or nil if it has not advertised one and it has not been read over a link.
    public var name: String? { properties?.name }

    /// The device's address, or nil if bluetoothd no longer knows the device.
    public var address: BluetoothAddress? { properties?.address }

    /// The data that the device has advertised so far.
    public var advertisement: AdvertisementData { properties?.advertisement ?? AdvertisementData() }
}
