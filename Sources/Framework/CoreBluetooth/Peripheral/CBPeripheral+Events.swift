import CoreBlueZ

extension CBPeripheral {
    /// Handles the value of a notification.
    func didReceive(_ value: Data, for token: Int) {
        guard let characteristic = knownCharacteristics[token] else { return }
        characteristic.lastValue = value
        delegate?.peripheral(self, didUpdateValueFor: characteristic, error: nil)
    }

    /// Handles an event on the manager's queue: changes the objects, then calls the delegate.
    func handle(_ event: PeripheralEvent) {
        switch event {
        case .connected, .failedToConnect, .disconnected: break
        case .name(let name):
            lastName = name
            delegate?.peripheralDidUpdateName(self)
        case .services(let found): didFind(services: found)
        case .includedServices(let token, let found): didFind(included: found, token)
        case .characteristics(let token, let found): didFind(characteristics: found, token)
        case .descriptors(let token, let found): didFind(descriptors: found, token)
        case .servicesModified(let tokens): didModifyServices(tokens)
        case .read(let token, let value, let error):
            guard let characteristic = knownCharacteristics[token] else { return }
            if let value { characteristic.lastValue = value }
            delegate?.peripheral(self, didUpdateValueFor: characteristic, error: error)
        case .written(let token, let error):
            guard let characteristic = knownCharacteristics[token] else { return }
            delegate?.peripheral(self, didWriteValueFor: characteristic, error: error)
        case .commandSent: didSendCommand()
        case .notifying(let token, let notifies, let error):
            guard let characteristic = knownCharacteristics[token] else { return }
            characteristic.notifies = notifies
            delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: error)
        case .descriptorRead(let token, let value, let error):
            guard let descriptor = knownDescriptors[token] else { return }
            if let value { descriptor.take(value) }
            delegate?.peripheral(self, didUpdateValueFor: descriptor, error: error)
        case .descriptorWritten(let token, let error):
            guard let descriptor = knownDescriptors[token] else { return }
            delegate?.peripheral(self, didWriteValueFor: descriptor, error: error)
        case .signalStrength(let rssi, let error):
            lastSignalStrength = rssi.map { NSNumber(value: $0) } ?? lastSignalStrength
            delegate?.peripheral(self, didReadRSSI: NSNumber(value: rssi ?? 127), error: error)
        case .deferred:
            let call = $deferredCalls.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let call, let delegate { call(delegate, self) }
        }
    }

    private func didSendCommand() {
        guard $commands.withLock({ $0.end() }), link.state == .connected else { return }
        delegate?.peripheralIsReady(toSendWriteWithoutResponse: self)
    }

    // MARK: The end of attributes

    /// Makes all attributes invalid, because the link has ended.
    func invalidateAttributes() {
        for service in knownServices.values { service.isValid = false }
        for characteristic in knownCharacteristics.values { characteristic.notifies = false }
        foundServices = nil
        knownServices = [:]
        knownCharacteristics = [:]
        knownDescriptors = [:]
        mtu = 23
        commands = CommandWindow()
    }

    private func didModifyServices(_ tokens: [Int]) {
        let gone = tokens.compactMap { token in $knownServices.withLock { $0.removeValue(forKey: token) } }.sorted {
            $0.handle < $1.handle
        }
        for service in gone {
            service.isValid = false
            for characteristic in service.characteristics ?? [] {
                characteristic.notifies = false
                $knownCharacteristics.withLock { $0[characteristic.token] = nil }
                for descriptor in characteristic.descriptors ?? [] {
                    $knownDescriptors.withLock { $0[descriptor.token] = nil }
                }
            }
        }
        foundServices?.removeAll { service in gone.contains { $0 === service } }
        delegate?.peripheral(self, didModifyServices: gone)
    }
}
