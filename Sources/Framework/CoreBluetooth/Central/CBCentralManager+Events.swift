import CoreBlueZ

extension CBCentralManager {
    /// Handles an event on the manager's queue.
    func handle(_ event: BridgeEvent) {
        switch event {
        case .value(let identifier, let token, let value):
            presentPeripheral(identifier)?.didReceive(value, for: token)
        case .state(let state): didUpdateState(state)
        case .found(let found):
            guard scan.isOn else { return }
            delegate?.centralManager(
                self, didDiscover: peripheral(found.identifier, name: found.name),
                advertisementData: found.advertisement.dictionary, rssi: NSNumber(value: found.rssi ?? 127))
        case .scanEnded(let number): $scan.withLock { if number == $0.number { $0.isOn = false } }
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
            $scan.withLock { $0.isOn = false }
            for peripheral in peripherals.present {
                peripheral.$link.withLock { if $0.state == .connecting { $0.state = .disconnected } }
            }
        }
        delegate?.centralManagerDidUpdateState(self)
    }

    private func handle(_ event: PeripheralEvent, for peripheral: CBPeripheral) {
        switch event {
        case .connected(let number):
            guard peripheral.$link.withLock({ $0.didBegin(number) }) else { return }
            delegate?.centralManager(self, didConnect: peripheral)
        case .failedToConnect(let number, let error):
            guard peripheral.$link.withLock({ $0.didEnd(number) }) else { return }
            delegate?.centralManager(self, didFailToConnect: peripheral, error: error)
        case .disconnected(let number, let event):
            // The program may have asked for the next link already.
            peripheral.$link.withLock { _ = $0.didEnd(number, isReconnecting: event.isReconnecting) }
            peripheral.invalidateAttributes()
            delegate?.centralManager(
                self, didDisconnectPeripheral: peripheral, timestamp: event.time.timeIntervalSinceReferenceDate,
                isReconnecting: event.isReconnecting, error: event.error)
        default: peripheral.handle(event)
        }
    }

    // MARK: Peripherals

    /// The object of a peripheral, if the program holds it.
    func presentPeripheral(_ identifier: UUID) -> CBPeripheral? { $peripherals.withLock { $0[identifier] } }

    /// Returns the only object of a peripheral.
    func peripheral(_ identifier: UUID, name: String?) -> CBPeripheral {
        let peripheral = $peripherals.withLock { $0.object(of: identifier) { CBPeripheral(identifier, nil, bridge) } }
        if let name { peripheral.lastName = name }
        return peripheral
    }
}
