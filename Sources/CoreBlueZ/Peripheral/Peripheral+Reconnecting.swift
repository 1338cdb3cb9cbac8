extension Peripheral {
    /// Whether a lost link is being brought back, by `reconnectPolicy`.
    public var isReconnecting: Bool { reconnection != nil }

    /// Ends the attempts to get a lost link back; `disconnect` does so too. The policy stays for the next link.
    public func cancelReconnection() {
        let ending = reconnection
        reconnection = nil
        ending?.cancel()
        central?.releaseIfGone(self)
    }

    /// Called before the end of a link ends its subscriptions.
    func prepareToReconnect(_ error: BluetoothError?, wasConnected: Bool) {
        if let reconnection { return reconnection.noteSubscriptions() }
        guard let reconnectPolicy, error != nil, wasConnected, !isBeingRemoved, central != nil else { return }
        if error?.bluezName == "org.bluez.Reason.Local", !reconnectPolicy.reconnectsAfterLocalDisconnect { return }
        let reconnection = Reconnection(self, reconnectPolicy)
        self.reconnection = reconnection
        reconnection.noteSubscriptions()
        reconnection.schedule()
    }
}
