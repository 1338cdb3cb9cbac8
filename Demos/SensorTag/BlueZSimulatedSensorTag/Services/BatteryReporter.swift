import BlueZSimulator

/// The second generation notifies its battery level every 15 seconds.
@SimulatorActor final class BatteryReporter {
    nonisolated static let specification = ServiceSpecification(
        0x180F, characteristics: [CharacteristicSpecification(0x2A19, [.read, .notify], value: [91])])

    private weak var tag: SimulatedSensorTag?
    private var timer: SimulatorActor.ScheduledCall?

    init(of tag: SimulatedSensorTag) {
        self.tag = tag
    }

    func connected() {
        guard tag?.model.isFirstGeneration == false else { return }
        timer = SimulatorActor.schedule(after: .seconds(15)) { [weak self] in self?.report() }
    }

    func disconnected() {
        timer?.cancel()
    }

    private func report() {
        guard let peripheral = tag?.peripheral, let level = peripheral.characteristic(0x2A19) else { return }
        peripheral.notify(level.value, from: level)
        connected()
    }
}
