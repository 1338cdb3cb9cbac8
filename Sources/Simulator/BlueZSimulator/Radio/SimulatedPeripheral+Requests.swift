import BlueZServer

extension SimulatedPeripheral {
    private var behaviour: any SimulatedPeripheralDelegate { delegate ?? Self.storing }
    private static let storing = StoringDelegate()

    private func securityError(_ specification: CharacteristicSpecification) -> ATTError? {
        if specification.needsAuthentication, link?.isAuthenticated != true { return .insufficientAuthentication }
        if specification.needsEncryption, link?.isEncrypted != true { return .insufficientEncryption }
        return nil
    }

    /// Begins a link, which the peripheral does not retain.
    package func connected(by link: any PeripheralLink) {
        self.link = link
        behaviour.peripheralDidConnect(self)
    }

    /// Ends the link.
    package func disconnected() {
        link = nil
        for characteristic in services.flatMap(\.characteristics) { characteristic.clientConfiguration = 0 }
        behaviour.peripheralDidDisconnect(self)
        medium?.advertisingChanged(self)
    }

    /// Handles a read of a characteristic.
    package func read(_ characteristic: SimulatedCharacteristic, completion: @escaping Completion) {
        addEntry(.read, characteristic.uuid)
        let request = AttributeRequest(.read, completion: delayed(characteristic.faults.delay, completion))
        if let error = characteristic.faults.readError { return request.fail(error) }
        guard characteristic.properties.contains(.read) else { return request.fail(.readNotPermitted) }
        if let error = securityError(characteristic.specification) { return request.fail(error) }
        behaviour.peripheral(self, read: characteristic, request: request)
    }

    /// Handles a write to a characteristic.
    package func write(
        _ value: [UInt8],
        to characteristic: SimulatedCharacteristic,
        kind: AttributeRequest.Kind,
        completion: @escaping Completion
    ) {
        addEntry(kind == .command ? .command : .write, characteristic.uuid, value)
        let isResponding = !characteristic.responses.isEmpty
        let request = AttributeRequest(
            kind,
            completion: delayed(characteristic.faults.delay) { [weak self, weak link] result in
                completion(result)
                guard isResponding, case .success = result, let self, let link, link === self.link else { return }
                self.respond(to: value, writtenTo: characteristic)
            })
        if let error = characteristic.faults.writeError { return request.fail(error) }
        let needed: CharacteristicProperties = kind == .command ? [.writeWithoutResponse] : [.write, .reliableWrite]
        guard !characteristic.properties.isDisjoint(with: needed) else { return request.fail(.writeNotPermitted) }
        if let error = securityError(characteristic.specification) { return request.fail(error) }
        guard value.count <= 512 else { return request.fail(.invalidAttributeValueLength) }
        behaviour.peripheral(self, write: value, to: characteristic, request: request)
    }

    func read(_ descriptor: SimulatedDescriptor, of characteristic: SimulatedCharacteristic, completion: Completion) {
        if descriptor.uuid == .clientConfiguration {
            let bits = characteristic.clientConfiguration
            return completion(.success([UInt8(bits & 0xFF), UInt8(bits >> 8)]))
        }
        completion(.success(descriptor.value))
    }

    /// Handles a read of a descriptor, or a write to it.
    package func use(
        _ descriptor: SimulatedDescriptor,
        of characteristic: SimulatedCharacteristic,
        writing value: [UInt8]?,
        completion: @escaping Completion
    ) {
        addEntry(value == nil ? .read : .write, descriptor.uuid, value ?? [])
        let finish = delayed(descriptor.faults.delay, completion)
        guard let value else {
            if let error = descriptor.faults.readError { return finish(.failure(error)) }
            guard descriptor.specification.isReadable else { return finish(.failure(.readNotPermitted)) }
            return read(descriptor, of: characteristic, completion: finish)
        }
        if let error = descriptor.faults.writeError { return finish(.failure(error)) }
        guard descriptor.specification.isWritable else { return finish(.failure(.writeNotPermitted)) }
        guard value.count <= 512 else { return finish(.failure(.invalidAttributeValueLength)) }
        descriptor.value = value
        finish(.success([]))
    }

    /// Handles a subscription: bit 0 for notifications, bit 1 for indications; 0 ends it.
    package func configure(_ characteristic: SimulatedCharacteristic, _ bits: UInt16, completion: @escaping Completion)
    {
        addEntry(bits == 0 ? .unsubscribe : .subscribe, characteristic.uuid)
        let finish = delayed(characteristic.faults.delay, completion)
        if let error = characteristic.faults.writeError { return finish(.failure(error)) }
        let wasSubscribed = characteristic.isSubscribed
        characteristic.clientConfiguration = bits
        finish(.success([]))
        guard wasSubscribed != characteristic.isSubscribed else { return }
        if bits == 0 {
            behaviour.peripheral(self, didUnsubscribeFrom: characteristic)
        } else {
            // Before the delegate, whose own series replaces it.
            notifySeries(of: characteristic)
            behaviour.peripheral(self, didSubscribeTo: characteristic)
        }
    }

    package typealias Completion = @SimulatorActor (ATTResult) -> Void

    private func delayed(_ delay: Duration, _ completion: @escaping Completion) -> Completion {
        guard delay > .zero else { return completion }
        return { result in SimulatorActor.schedule(after: delay) { completion(result) } }
    }
}

extension SimulatedPeripheral {
    /// Sends the responses to a write: all those with the longest matching prefix, in order.
    func respond(to value: [UInt8], writtenTo characteristic: SimulatedCharacteristic) {
        let matching = characteristic.responses.filter { value.starts(with: $0.prefix) }
        let longest = matching.lazy.map(\.prefix.count).max()
        for response in matching where response.prefix.count == longest {
            guard let source = source(of: response, characteristic) else { continue }
            SimulatorActor.perform(after: response.delay) { [weak self, weak link] in
                guard let self, let link, link === self.link else { return }
                self.notify(response.value(for: value), from: source)
            }
        }
    }

    private func source(
        of response: WriteResponse, _ characteristic: SimulatedCharacteristic
    ) -> SimulatedCharacteristic? {
        guard let uuid = response.source else { return characteristic }
        let service = services.first { $0.characteristics.contains { $0 === characteristic } }
        return service?[uuid] ?? self.characteristic(uuid)
    }
}
