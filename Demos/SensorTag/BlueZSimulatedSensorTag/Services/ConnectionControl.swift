import BlueZSimulator

/// TI's connection control service: CCC1 shows interval (1.25 ms), latency and supervision timeout (10 ms) as three
/// uint16; CCC2 requests others (minimum, maximum, latency, timeout); any byte in CCC3 disconnects.
@SimulatorActor final class ConnectionControl {
    nonisolated static let specification = ServiceSpecification(
        .ti(0xCCC0),
        characteristics: [
            CharacteristicSpecification(.ti(0xCCC1), [.read, .notify], value: [0, 0, 0, 0, 0, 0]),
            CharacteristicSpecification(.ti(0xCCC2), .write),
            CharacteristicSpecification(.ti(0xCCC3), .write),
        ]
    )

    /// Linux's initial parameters: 50 ms, no latency, 420 ms.
    private static let initial: [UInt16] = [40, 0, 42]
    private weak var tag: SimulatedSensorTag?

    init(of tag: SimulatedSensorTag) {
        self.tag = tag
    }

    private var parameters: SimulatedCharacteristic? { tag?.peripheral.characteristic(.ti(0xCCC1)) }

    func connected() { parameters?.value = Self.initial.flatMap { RawValue.bytes($0) } }
    func disconnected() { parameters?.value = [0, 0, 0, 0, 0, 0] }

    func write(_ value: [UInt8], to characteristic: SimulatedCharacteristic, _ request: AttributeRequest) -> Bool {
        switch characteristic.uuid {
        case .ti(0xCCC2):
            guard value.count == 8 else { return fail(request) }
            request.respond()
            update(stride(from: 0, to: 8, by: 2).map { UInt16(value[$0]) | UInt16(value[$0 + 1]) << 8 })
        case .ti(0xCCC3):
            guard value.count == 1 else { return fail(request) }
            request.respond()
            // The response is sent first.
            SimulatorActor.schedule(after: .zero) { [weak tag] in tag?.peripheral.simulateDisconnection() }
        default: return false
        }
        return true
    }

    private func fail(_ request: AttributeRequest) -> Bool {
        request.fail(.invalidAttributeValueLength)
        return true
    }

    /// The central uses the longest interval; it refuses values that the specification forbids (Vol 6, Part B, 4.5.1
    /// and 4.5.2).
    private func update(_ wish: [UInt16]) {
        let (minimum, maximum, latency, timeout) = (wish[0], wish[1], wish[2], wish[3])
        guard minimum >= 6, minimum <= maximum, maximum <= 3200,
            latency <= 499, (10...3200).contains(timeout), let parameters
        else { return }
        parameters.value = [maximum, latency, timeout].flatMap { RawValue.bytes($0) }
        tag?.peripheral.notify(parameters.value, from: parameters)
    }
}
