extension Peripheral {
    /// Whether `reconnectPolicy` is bringing a lost link back.
    public var isReconnecting: Bool { link.reconnection != nil }

    /// Connects now, and brings the link back whenever it is lost, even before a first link: sets `reconnectPolicy` and
    /// begins at once. If bluetoothd does not know the device, it scans for it.
    ///
    /// Each time a link comes up, including the first, `didReconnect` and `reconnectHandler` are called; `state` and
    /// `isReconnecting` report the progress. `disconnect` ends it; `cancelReconnection` does so without ending a link.
    public func keepConnected(_ policy: ReconnectPolicy = ReconnectPolicy()) {
        reconnectPolicy = policy
        guard !isConnected, link.reconnection == nil, central != nil else { return }
        let reconnection = Reconnection(self, policy)
        link.reconnection = reconnection
        reconnection.schedule(after: .zero)
    }

    /// Ends the attempts to bring back a lost link, as `disconnect` does. The policy remains for the next link.
    public func cancelReconnection() {
        let ending = link.reconnection
        link.reconnection = nil
        ending?.cancel()
        if ending != nil { keptHandler?(.stopped(nil)) }
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
