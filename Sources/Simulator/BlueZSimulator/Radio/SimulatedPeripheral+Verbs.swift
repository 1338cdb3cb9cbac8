extension SimulatedPeripheral {
    /// Sends a notification, or an indication if the central requested that. At most MTU - 3 bytes are sent.
    ///
    /// - Returns: false, and sends nothing, if no central has subscribed.
    @discardableResult
    public func notify(_ value: [UInt8], from characteristic: SimulatedCharacteristic) -> Bool {
        guard let link, characteristic.isSubscribed else { return false }
        addEntry(.notify, characteristic.uuid, value)
        link.deliver(Array(value.prefix(link.mtu - 3)), from: characteristic)
        return true
    }

    /// Ends the link from the peripheral's side, in an orderly way (reason 0x13). The peripheral advertises again.
    public func simulateDisconnection() {
        link?.drop(.remote)
    }

    /// Moves the peripheral out of range. It is no longer heard, and the link is lost silently.
    ///
    /// - Parameter supervisionTimeout: how long the central does not notice. In the meantime, requests get no response.
    public func simulateRangeLoss(supervisionTimeout: Duration = .zero) {
        isAdvertising = false
        guard let link else { return }
        link.isSilent = true
        SimulatorActor.perform(after: supervisionTimeout) { [weak link] in link?.drop(.timeout) }
    }

    /// Moves the peripheral back into range, where it advertises.
    public func simulateReturn() {
        isAdvertising = true
    }
}
