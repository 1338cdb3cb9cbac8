import CoreBlueZ

extension CBCentralManager {
    /// Handles an event on the manager's queue.
    func handle(_ event: BridgeEvent) {
        switch event {
        case .value(let identifier, let token, let value):
            presentPeripheral(identifier)?.didReceive(value, for: token)
        case .state(let state): didUpdateState(state)
        case .found(let found):
            guard scans else { return }
            delegate?.centralManager(
                self, didDiscover: peripheral(found.identifier, name: found.name),
                advertisementData: found.advertisement.dictionary, rssi: NSNumber(value: found.rssi ?? 127))
        case .scanEnded(let number): if number == lastScan { scans = false }
        case .peripheral(let identifier, let event):
            if let peripheral = presentPeripheral(identifier) { handle(event, for: peripheral) }
        }
    }

    private func didUpdateState(_ state: CentralManagerState) {
        currentState =
            switch state {
            case .unknown: .unknown
            case .resetting: .resetting
            case .unsupported: .unsupported
            case .unauthorized: .unauthorized
            case .poweredOff: .poweredOff
            case .poweredOn: .poweredOn
            }
        if currentState != .poweredOn {
            scans = false
            for peripheral in peripherals.values.compactMap(\.peripheral) where peripheral.linkState == .connecting {
                peripheral.linkState = .disconnected
            }
        }
        delegate?.centralManagerDidUpdateState(self)
    }

    private func handle(_ event: PeripheralEvent, for peripheral: CBPeripheral) {
        switch event {
        case .connected(let number):
            guard number == peripheral.connection, peripheral.linkState != .disconnecting else { return }
            peripheral.linkState = .connected
            delegate?.centralManager(self, didConnect: peripheral)
        case .failedToConnect(let number, let error):
            guard number == peripheral.connection else { return }
            peripheral.linkState = .disconnected
            delegate?.centralManager(self, didFailToConnect: peripheral, error: error)
        case .disconnected(let number, let event):
            // The program may have asked for the next link already.
            if number == peripheral.connection {
                peripheral.linkState = event.isReconnecting ? .connecting : .disconnected
            }
            peripheral.invalidateAttributes()
            delegate?.centralManager(
                self, didDisconnectPeripheral: peripheral, timestamp: event.time.timeIntervalSinceReferenceDate,
                isReconnecting: event.isReconnecting, error: event.error)
        default: peripheral.handle(event)
        }
    }

    // MARK: Peripherals

    /// The object of a peripheral, if the program holds it.
    func presentPeripheral(_ identifier: UUID) -> CBPeripheral? { peripherals[identifier]?.peripheral }

    /// Returns the only object of a peripheral.
    func peripheral(_ identifier: UUID, name: String?) -> CBPeripheral {
        if let peripheral = presentPeripheral(identifier) {
            peripheral.lastName = name ?? peripheral.lastName
            return peripheral
        }
        if peripherals.count >= peripheralLimit {
            peripherals = peripherals.filter { $0.value.peripheral != nil }
            peripheralLimit = max(64, 2 * peripherals.count)
        }
        let peripheral = CBPeripheral(identifier, name, bridge)
        peripherals[identifier] = WeakPeripheral(peripheral: peripheral)
        return peripheral
    }
}
