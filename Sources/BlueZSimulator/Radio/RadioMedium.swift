/// The peripherals around the adapters, and the durations of radio operations.
@SimulatorActor final class RadioMedium {
    var timing: Timing
    private(set) var peripherals: [SimulatedPeripheral] = []
    /// Called when a peripheral starts or stops advertising.
    var listener: ((SimulatedPeripheral) -> Void)?

    init(timing: Timing) {
        self.timing = timing
    }

    func add(_ peripheral: SimulatedPeripheral) {
        peripheral.medium = self
        peripherals.append(peripheral)
        advertisingChanged(peripheral)
    }

    func remove(_ peripheral: SimulatedPeripheral) {
        peripheral.isAdvertising = false
        peripheral.link?.drop()
        peripherals.removeAll { $0 === peripheral }
        peripheral.medium = nil
    }

    func peripheral(_ address: String) -> SimulatedPeripheral? {
        peripherals.first { $0.address == address }
    }

    func advertisingChanged(_ peripheral: SimulatedPeripheral) {
        listener?(peripheral)
    }
}
