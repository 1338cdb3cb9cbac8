extension Peripheral {
    /// Whether a lost link is being brought back, by `reconnectPolicy`.
    public var isReconnecting: Bool { link.reconnection != nil }

    /// Connects, and brings the link back whenever it is lost, from now on and not only after a first link: sets
    /// `reconnectPolicy` and begins at once. Where bluetoothd does not know the device, it is scanned for.
    ///
    /// Each time there is a link, the first one included, `didReconnect` and `reconnectHandler` are called; `state` and
    /// `isReconnecting` say how things stand. `disconnect` ends it, or `cancelReconnection` without ending a link.
    public func keepConnected(_ policy: ReconnectPolicy = ReconnectPolicy()) {
        reconnectPolicy = policy
        guard !isConnected, link.reconnection == nil, central != nil else { return }
        let reconnection = Reconnection(self, policy)
        link.reconnection = reconnection
        reconnection.schedule(after: .zero)
    }

    /// Ends the attempts to get a lost link back; `disconnect` does so too. The policy stays for the next link.
    public func cancelReconnection() {
        let ending = link.reconnection
        link.reconnection = nil
        ending?.cancel()
        if ending != nil { keeper?.wasCancelled(nil) }
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
