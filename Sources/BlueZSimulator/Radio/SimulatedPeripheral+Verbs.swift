extension SimulatedPeripheral {
    /// Sends a notification, or an indication if the central asked for that. At most MTU - 3 bytes are sent.
    ///
    /// - Returns: false, with nothing sent, if nobody is subscribed.
    @discardableResult
    public func notify(_ value: [UInt8], from characteristic: SimulatedCharacteristic) -> Bool {
        guard let link, characteristic.isSubscribed else { return false }
        note(.notify, characteristic.uuid, value)
        link.deliver(Array(value.prefix(link.mtu - 3)), from: characteristic)
        return true
    }

    /// The peripheral ends the link in an orderly way (reason 0x13). It advertises again.
    public func simulateDisconnection() {
        link?.drop()
    }

    /// The peripheral goes out of range: it is no longer heard, and the link is lost silently.
    ///
    /// - Parameter supervisionTimeout: how long the central does not notice; requests get no response meanwhile.
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
