extension Peripheral {
    /// Whether `reconnectPolicy` is restoring a lost link.
    public var isReconnecting: Bool { link.reconnection != nil }

    /// Connects now, and restores the link each time it is lost. Sets `reconnectPolicy` and begins immediately, even if
    /// there has been no link yet. If bluetoothd does not know the device, it is scanned for.
    ///
    /// Each time a link comes up, including the first, `didReconnect` and `reconnectHandler` are called. `state` and
    /// `isReconnecting` report the progress. If the policy limits the attempts, `ReconnectPolicy.giveUp` gets the error
    /// of the last one, which has a code of `connect(options:completion:)`. To end it, call `disconnect`, or
    /// `cancelReconnection`, which keeps a link.
    public func keepConnected(_ policy: ReconnectPolicy = ReconnectPolicy()) {
        reconnectPolicy = policy
        guard !isConnected || keptSetUp != nil, link.reconnection == nil, central != nil else { return }
        let reconnection = Reconnection(self, policy)
        link.reconnection = reconnection
        reconnection.schedule(after: .zero)
    }

    /// Ends a link that is of no use, as if it was lost with the error. A link of another program stays, and is set up
    /// again.
    func renewLink(_ error: BluetoothError) {
        guard let reconnectPolicy, isConnected, link.reconnection == nil, central != nil else { return }
        let reconnection = Reconnection(self, reconnectPolicy)
        link.reconnection = reconnection
        reconnection.giveUpLink(error)
    }

    /// Cancels the attempts to restore a lost link, as `disconnect` does. The policy remains in effect for the next
    /// link.
    public func cancelReconnection() {
        let ending = link.reconnection
        link.reconnection = nil
        ending?.cancel()
        if ending != nil { keptHandler?(.stopped(nil)) }
        central?.releaseIfGone(self)
    }

    /// Notes what to restore, before the end of the link ends its subscriptions.
    func prepareToReconnect(_ error: BluetoothError?, wasKnown: Bool) {
        if let reconnection = link.reconnection { return reconnection.noteSubscriptions() }
        guard let reconnectPolicy, error != nil, wasKnown, !link.isRemovalWanted, central != nil else { return }
        if error?.bluezName == BlueZReason.local, !reconnectPolicy.reconnectsAfterLocalDisconnect { return }
        let reconnection = Reconnection(self, reconnectPolicy)
        link.reconnection = reconnection
        reconnection.noteSubscriptions()
        reconnection.schedule()
    }
}
