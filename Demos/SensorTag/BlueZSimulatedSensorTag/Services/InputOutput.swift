import BlueZSimulator

/// The second generation's IO service: AA65 holds the outputs (bit 0 red LED, 1 green LED, 2 buzzer) or, in the local
/// and the self-test mode, the map of passed self-tests; AA66 the mode (0 local, 1 remote, 2 self-test).
@SimulatorActor final class InputOutput {
    nonisolated static let data: UInt16 = 0xAA65
    nonisolated static let configuration: UInt16 = 0xAA66
    /// All seven parts passed.
    nonisolated static let selfTest: UInt8 = 0x7F

    nonisolated static let specification = ServiceSpecification(
        .ti(0xAA64),
        characteristics: [
            CharacteristicSpecification(
                .ti(data), [.read, .write], value: [selfTest],
                descriptors: [DescriptorSpecification(0x2901, value: Array("IO Data".utf8))]
            ),
            CharacteristicSpecification(
                .ti(configuration), [.read, .write], value: [0],
                descriptors: [DescriptorSpecification(0x2901, value: Array("IO Config".utf8))]
            ),
        ]
    )

    private weak var tag: SimulatedSensorTag?

    init(of tag: SimulatedSensorTag) {
        self.tag = tag
    }

    func disconnected() {
        tag?.peripheral.characteristic(.ti(Self.data))?.value = [Self.selfTest]
        tag?.peripheral.characteristic(.ti(Self.configuration))?.value = [0]
    }

    func write(_ value: [UInt8], to characteristic: SimulatedCharacteristic, _ request: AttributeRequest) -> Bool {
        let isMode = characteristic.uuid == .ti(Self.configuration)
        guard isMode || characteristic.uuid == .ti(Self.data) else { return false }
        guard value.count == 1 else {
            request.fail(.invalidAttributeValueLength)
            return true
        }
        guard !isMode || value[0] < 3 else {
            request.fail(Sensor.invalidValue)
            return true
        }
        characteristic.value = value
        if isMode, value[0] == 2 { tag?.peripheral.characteristic(.ti(Self.data))?.value = [Self.selfTest] }
        request.respond()
        return true
    }
}
