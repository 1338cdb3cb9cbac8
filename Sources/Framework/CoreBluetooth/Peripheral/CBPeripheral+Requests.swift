import CoreBlueZ

extension CBPeripheral {
    /// Has the device's object do something.
    func perform(_ body: @escaping @BluetoothActor (BridgedPeripheral) -> Void) {
        guard isUsable else { return }
        BluetoothActor.perform { [bridge, identifier] in bridge.use(identifier, body) }
    }

    /// Has the device's object do something if the request is valid; otherwise calls the delegate soon.
    func perform(
        if isValid: Bool, _ body: @escaping @BluetoothActor (BridgedPeripheral) -> Void,
        otherwise call: @escaping (any CBPeripheralDelegate, CBPeripheral) -> Void
    ) {
        if isValid { return perform(body) }
        guard isUsable else { return }
        $deferredCalls.withLock { $0.append(call) }
        bridge.mailbox.post(.peripheral(identifier, .deferred))
    }

    /// Writes without response.
    func send(_ data: Data, _ characteristic: CBCharacteristic) {
        guard isUsable else { return }
        guard characteristic.properties.contains(.writeWithoutResponse) else {
            return Misuse.warn(
                """
                Characteristic \(characteristic) does not specify the "Write Without Response" property - ignoring \
                response-less write
                """)
        }
        guard isValid(characteristic) else {
            return Misuse.warn("\(characteristic) is no longer valid - ignoring response-less write")
        }
        $commands.withLock { $0.begin() }
        perform { [token = characteristic.token] in $0.send(data, to: token) }
    }

    private var isUsable: Bool {
        if link.state == .connected { return true }
        Misuse.report("\(self) can only accept commands while in the connected state")
        return false
    }

    func isValid(_ service: CBService) -> Bool { knownServices[service.token] === service }
    func isValid(_ characteristic: CBCharacteristic) -> Bool {
        knownCharacteristics[characteristic.token] === characteristic
    }
    func isValid(_ descriptor: CBDescriptor) -> Bool { knownDescriptors[descriptor.token] === descriptor }

    /// The UUIDs as values; nil for none.
    static func values(_ uuids: [CBUUID]?) -> [BluetoothUUID]? {
        uuids.flatMap { $0.isEmpty ? nil : $0.map(\.value) }
    }
}
