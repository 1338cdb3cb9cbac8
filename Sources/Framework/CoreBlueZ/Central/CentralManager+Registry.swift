import BlueZClient
import BlueZDBus

extension CentralManager {
    /// The number of elements of `peripherals`.
    public var peripheralCount: Int { peripherals.count }

    /// Returns the peripheral at an index of `peripherals`, or nil if the index is out of bounds.
    public func peripheral(at index: Int) -> Peripheral? {
        peripherals.indices.contains(index) ? peripherals[index] : nil
    }

    /// Returns the index of a peripheral in `peripherals`, or nil if it is not in the list.
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

    /// Removes an object from the list and reports that in the same step, so that the reported indices always match the
    /// list.
    func takeOut(_ peripheral: Peripheral) {
        guard let index = index(of: peripheral) else { return }
        peripherals.remove(at: index)
        registryHandler?(self, .removed(peripheral, at: index))
    }

    /// Returns the element of `peripherals` with an address, or nil. Unlike `retrievePeripheral(withIdentifier:)`, it
    /// creates no object.
    public func peripheral(withIdentifier address: BluetoothAddress) -> Peripheral? {
        peripherals.first { $0.address == address }
    }

    /// Returns the first element of `peripherals` with a name, or nil. The name must match exactly.
    public func peripheral(named name: String) -> Peripheral? {
        peripherals.first { $0.name == name }
    }

    /// Removes a peripheral from the list and from `storedPeripherals`. Its operations fail with
    /// `BluetoothError.Code.cancelled`, and its subscriptions end. A link stays up, and bluetoothd still knows the
    /// device; `forgetPeripheral` removes it there. If the device is found again, it gets a new object.
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

    /// Removes the peripheral at an index of `peripherals`, like `removePeripheral(_:)`. Does nothing if the index is
    /// out of bounds.
    public func removePeripheral(at index: Int) {
        if let peripheral = peripheral(at: index) { removePeripheral(peripheral) }
    }

    /// Removes all peripherals from the list, like `removePeripheral(_:)`.
    public func removeAllPeripherals() {
        for peripheral in peripherals { removePeripheral(peripheral) }
    }

    /// Stores a found peripheral for later runs of the program, if `storedPeripherals` is set. A private address is not
    /// stored, because it changes every 15 minutes (Core Specification, Vol 6 Part B 1.3.2.2).
    func store(_ peripheral: Peripheral) {
        guard let storedPeripherals, let address = peripheral.address else { return }
        guard peripheral.addressKind != .random || address.isStaticRandom else { return }
        storedPeripherals.addSoon(address)
    }

    // MARK: Retrieving

    /// Returns the peripherals with these addresses, in this order. Addresses that bluetoothd does not know are left
    /// out. On Linux a peripheral's identifier is its address.
    public func retrievePeripherals(withIdentifiers addresses: [BluetoothAddress]) -> [Peripheral] {
        addresses.compactMap { retrievePeripheral(withIdentifier: $0) }
    }

    /// Returns the peripherals in `storedPeripherals` that bluetoothd knows; none if `storedPeripherals` is nil.
    public func retrieveStoredPeripherals() -> [Peripheral] {
        retrievePeripherals(withIdentifiers: storedPeripherals?.identifiers ?? [])
    }

    /// Returns the peripherals that are connected, by this program or another, and have one of the services. bluetoothd
    /// knows the services of a device when it has discovered them.
    ///
    /// - Parameter services: the services to look for; nil returns all connected peripherals.
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
    /// The manager created an object, which is at this index of `peripherals`, the last one.
    case added(Peripheral, at: Int)
    /// The manager removed an object, which was at this index of `peripherals`.
    case removed(Peripheral, at: Int)
}
