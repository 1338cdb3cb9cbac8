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
