import BlueZClient
import DBus

extension CentralManager {
    /// How many peripherals the manager has objects for.
    public var peripheralCount: Int { peripherals.count }

    /// The peripheral at an index of `peripherals`, or nil if the index is out of bounds.
    public func peripheral(at index: Int) -> Peripheral? {
        peripherals.indices.contains(index) ? peripherals[index] : nil
    }

    /// The index of a peripheral in `peripherals`, or nil if it is not in the list.
    public func index(of peripheral: Peripheral) -> Int? {
        var candidates = peripherals.indices
        while let middle = candidates.dropFirst(candidates.count / 2).first {
            let other = peripherals[middle]
            if other === peripheral { return middle }
            candidates =
                other.registryNumber < peripheral.registryNumber
                ? middle + 1..<candidates.endIndex : candidates.startIndex..<middle
        }
        return nil
    }

    /// Appends a new object to the list.
    func append(_ peripheral: Peripheral) {
        lastRegistryNumber += 1
        peripheral.registryNumber = lastRegistryNumber
        peripherals.append(peripheral)
        registryHandler?(self, .added(peripheral, at: peripherals.count - 1))
    }

    /// Removes an object from the list and reports that in the same step: the indices reported so far are those of the
    /// list.
    func takeOut(_ peripheral: Peripheral) {
        guard let index = index(of: peripheral) else { return }
        peripherals.remove(at: index)
        registryHandler?(self, .removed(peripheral, at: index))
    }

    /// The peripheral with an address, among those that the manager has objects for.
    public func peripheral(withIdentifier address: BluetoothAddress) -> Peripheral? {
        peripherals.first { $0.address == address }
    }

    /// The first peripheral with a name, among those that the manager has objects for.
    public func peripheral(named name: String) -> Peripheral? {
        peripherals.first { $0.name == name }
    }

    /// Removes a peripheral from the list, and from `storedPeripherals`. Its operations end with
    /// `BluetoothError.Code.cancelled` and its subscriptions end; a link stays, and bluetoothd still knows the device
    /// (to make it forget, use `forgetPeripheral`). If the device is found again, it gets a new object.
    public func removePeripheral(_ peripheral: Peripheral) {
        guard existingPeripheral(at: peripheral.path) === peripheral else { return }
        peripheralsByPath[peripheral.path] = nil
        formerPeripherals[peripheral.path] = nil
        peripheral.cancelReconnection()
        let error = BluetoothError(.cancelled, "\(peripheral.displayName) was removed from the manager's list")
        peripheral.leave(client, error, endingLink: false)
        operations.failAll(below: peripheral.path, error)
        if let address = peripheral.address {
            do throws(BluetoothError) {
                try storedPeripherals?.remove(address)
            } catch {
                log.warning("A peripheral cannot be removed from the store", metadata: ["error": "\(error)"])
            }
        }
        takeOut(peripheral)
        peripheral.leaveCentral()
    }

    /// Removes the peripheral at an index of `peripherals` from the list; nothing happens if the index is out of
    /// bounds.
    public func removePeripheral(at index: Int) {
        if let peripheral = peripheral(at: index) { removePeripheral(peripheral) }
    }

    /// Removes all peripherals from the list.
    public func removeAllPeripherals() {
        for peripheral in peripherals { removePeripheral(peripheral) }
    }

    /// Stores a found peripheral for later runs of the program, if the program wants that. A private address is not
    /// stored: it changes every quarter of an hour (Core Specification, Vol 6 Part B 1.3.2.2).
    func store(_ peripheral: Peripheral) {
        guard let storedPeripherals, let address = peripheral.address else { return }
        guard peripheral.addressKind != .random || address.isStaticRandom else { return }
        storedPeripherals.addSoon(address)
    }

    // MARK: Retrieving

    /// The peripherals with these addresses that bluetoothd knows, in this order; others are left out. On Linux a
    /// peripheral's identifier is its address.
    public func retrievePeripherals(withIdentifiers addresses: [BluetoothAddress]) -> [Peripheral] {
        addresses.compactMap { retrievePeripheral(withIdentifier: $0) }
    }

    /// The peripherals with the stored addresses that bluetoothd knows.
    public func retrieveStoredPeripherals() -> [Peripheral] {
        retrievePeripherals(withIdentifiers: storedPeripherals?.identifiers ?? [])
    }

    /// The peripherals that are connected, by this program or another, and have one of the services. bluetoothd knows
    /// the services of a device once they have been resolved.
    ///
    /// - Parameter services: nil means any.
    public func retrieveConnectedPeripherals(withServices services: [BluetoothUUID]? = nil) -> [Peripheral] {
        let adapterPath = adapterPath
        let connected = client.mirror.devices.filter { $0.value.isConnected && $0.value.isOn(adapterPath) }
        let fitting = connected.filter { device in
            guard let services else { return true }
            return !Set(services).isDisjoint(with: device.value.advertisement.serviceUUIDs)
        }
        return fitting.keys.sorted().map(peripheral(at:))
    }
}

/// A change of a manager's list of peripherals.
public enum RegistryChange: Sendable {
    /// The manager has a new object at this index of `peripherals`, the last one.
    case added(Peripheral, at: Int)
    /// The manager no longer has an object, which was at this index of `peripherals`.
    case removed(Peripheral, at: Int)
}
