extension SimulatedPeripheral {
    /// Sends a notification, or an indication where the central asked for that. At most MTU - 3 bytes arrive.
    ///
    /// - Returns: false, and nothing is sent, where nobody is subscribed.
    @discardableResult
    public func notify(_ value: [UInt8], from characteristic: SimulatedCharacteristic) -> Bool {
        guard let link, characteristic.isSubscribed else { return false }
        note(.notify, characteristic.uuid, value)
        link.deliver(Array(value.prefix(link.mtu - 3)), from: characteristic)
        return true
    }

    /// The peripheral ends the link politely (reason 0x13). It advertises again.
    public func simulateDisconnection() {
        link?.drop()
    }

    /// The peripheral goes out of range: it is heard no more, and the link is lost without a word.
    ///
    /// - Parameter supervisionTimeout: how long the central does not notice; requests stay unanswered meanwhile.
    public func simulateRangeLoss(supervisionTimeout: Duration = .zero) {
        isAdvertising = false
        guard let link else { return }
        link.isSilent = true
        SimulatorActor.perform(after: supervisionTimeout) { [weak link] in link?.drop() }
    }

    /// The peripheral comes back into range and advertises.
    public func simulateReturn() {
        isAdvertising = true
    }
}
