extension Peripheral {
    /// Whether a lost link is being brought back, by `reconnectPolicy`.
    public var isReconnecting: Bool { link.reconnection != nil }

    /// Ends the attempts to get a lost link back; `disconnect` does so too. The policy stays for the next link.
    public func cancelReconnection() {
        let ending = link.reconnection
        link.reconnection = nil
        ending?.cancel()
        central?.releaseIfGone(self)
    }

    /// Called before the end of a link ends its subscriptions.
    func prepareToReconnect(_ error: BluetoothError?, wasKnown: Bool) {
        if let reconnection = link.reconnection { return reconnection.noteSubscriptions() }
        guard let reconnectPolicy, error != nil, wasKnown, !link.isRemovalWanted, central != nil else { return }
        if error?.bluezName == "org.bluez.Reason.Local", !reconnectPolicy.reconnectsAfterLocalDisconnect { return }
        let reconnection = Reconnection(self, reconnectPolicy)
        link.reconnection = reconnection
        reconnection.noteSubscriptions()
        reconnection.schedule()
    }
}
