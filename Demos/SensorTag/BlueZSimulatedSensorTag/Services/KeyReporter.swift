import BlueZSimulator

/// The key service of both generations: a notification for each key pressed or released in the tag's environment.
@SimulatorActor final class KeyReporter {
    nonisolated static let specification = ServiceSpecification(
        0xFFE0,
        characteristics: [
            CharacteristicSpecification(
                0xFFE1, .notify, value: [0],
                descriptors: [
                    DescriptorSpecification(0x2902, isWritable: true),
                    DescriptorSpecification(0x2901, value: Array("Key Press State".utf8)),
                ]
            )
        ]
    )

    private weak var tag: SimulatedSensorTag?
    private var timer: SimulatorActor.ScheduledCall?

    init(of tag: SimulatedSensorTag) {
        self.tag = tag
    }

    func connected() {
        if let tag { watch(after: tag.time) }
    }

    func disconnected() {
        timer?.cancel()
    }

    /// Waits for the next change. Every change is reported, in order, however late the timer is.
    private func watch(after last: Double) {
        guard let tag else { return }
        let due = tag.environment.nextKeyChange(after: last)
        timer = SimulatorActor.schedule(after: .seconds(due - tag.time)) { [weak self] in self?.report(at: due) }
    }

    private func report(at due: Double) {
        guard let tag, tag.peripheral.isConnected else { return }
        if let keys = tag.peripheral.characteristic(0xFFE1) {
            keys.value = [tag.environment.keys(at: due)]
            tag.peripheral.notify(keys.value, from: keys)
        }
        watch(after: due)
    }
}
