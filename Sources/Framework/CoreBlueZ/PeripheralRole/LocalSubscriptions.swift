import BlueZClient
import BlueZDBus

/// The subscriptions to one local characteristic.
///
/// From BlueZ 5.69 on, bluetoothd acquires a socket for each central that subscribes, and closes it when the central
/// unsubscribes or its link ends. Before, or if it cannot, it calls StartNotify for the first central and StopNotify
/// after the last.
@BluetoothActor final class LocalSubscriptions {
    private(set) var isStarted = false
    private(set) var sockets: [ObjectPath: SubscriberSocket] = [:]
    /// Centrals that have subscribed but have no socket: bonded ones that subscribed on an earlier link, whose
    /// configuration bluetoothd keeps, and those whose socket it closed by mistake.
    private var unconnected: Set<ObjectPath> = []
    /// Connected centrals whose socket was closed a moment ago. If another subscriber's link ends, bluetoothd may have
    /// closed the wrong socket (src/gatt-database.c: clear_ccc_state, match_client_att).
    private var doubtful: [ObjectPath: ScheduledCall] = [:]
    /// Bonded centrals whose link has ended while they were subscribed.
    private var away: Set<ObjectPath> = []
    /// The time until which a closed socket may be that of a subscriber whose link has ended.
    private var doubtEnds = MonotonicInstant.now

    /// How long bluetoothd may take between closing a socket and reporting that the link has ended.
    static let doubt = Duration.milliseconds(500)

    var isActive: Bool { isStarted || !centrals.isEmpty }

    /// Whether bluetoothd says who has subscribed.
    var areNamed: Bool { !isStarted }

    var centrals: [ObjectPath] { Set(sockets.keys).union(unconnected).union(doubtful.keys).sorted() }

    // MARK: Without names

    func start() { isStarted = true }

    /// Handles StopNotify: nobody is subscribed any longer, except by a socket.
    ///
    /// - Returns: the centrals that were subscribed without a socket.
    func stop() -> [ObjectPath] {
        isStarted = false
        let ended = unconnected.union(doubtful.keys).sorted()
        unconnected = []
        clearDoubts()
        return ended
    }

    // MARK: With names

    /// - Returns: whether the central had not subscribed.
    func add(_ socket: SubscriberSocket, of device: ObjectPath) -> Bool {
        let isNew = !centrals.contains(device)
        sockets.removeValue(forKey: device)?.close()
        sockets[device] = socket
        unconnected.remove(device)
        doubtful.removeValue(forKey: device)?.cancel()
        away.remove(device)
        return isNew
    }

    /// Handles a socket that bluetoothd has closed.
    ///
    /// - Parameter ended: called if the central has unsubscribed.
    func closed(
        _ socket: SubscriberSocket, of device: ObjectPath, isConnected: Bool,
        ended: @escaping @BluetoothActor () -> Void
    ) {
        guard sockets[device] === socket else { return }
        sockets[device] = nil
        socket.close()
        // The end of the link follows, and ends the subscription.
        guard isConnected else { return _ = unconnected.insert(device) }
        guard doubtEnds <= .now else { return _ = unconnected.insert(device) }
        doubtful[device] = BluetoothActor.after(Self.doubt) { [weak self] in
            if self?.doubtful.removeValue(forKey: device) != nil { ended() }
        }
    }

    /// Handles the end of a central's link, which ends its subscription until a bonded central is back.
    ///
    /// - Returns: whether the central had subscribed.
    func linkDidEnd(_ device: ObjectPath, isBonded: Bool) -> Bool {
        let socket = sockets.removeValue(forKey: device)
        socket?.close()
        let doubt = doubtful.removeValue(forKey: device)
        doubt?.cancel()
        guard unconnected.remove(device) != nil || socket != nil || doubt != nil else { return false }
        if isBonded { away.insert(device) }
        unconnected.formUnion(doubtful.keys)
        clearDoubts()
        doubtEnds = MonotonicInstant.now.advanced(by: TimeLimit(Self.doubt))
        return true
    }

    /// Handles a link to a central.
    ///
    /// - Returns: whether a subscription from an earlier link is in force again.
    func linkDidBegin(_ device: ObjectPath, isBonded: Bool) -> Bool {
        guard away.remove(device) != nil, isBonded else { return false }
        unconnected.insert(device)
        return true
    }

    /// Forgets a device that bluetoothd has forgotten, and its bond with it.
    func deviceWasRemoved(_ device: ObjectPath) { away.remove(device) }

    /// Ends everything.
    ///
    /// - Parameter error: the error with which values end that wait.
    func removeAll(_ error: BluetoothError) {
        for socket in sockets.values { socket.close(error) }
        sockets = [:]
        unconnected = []
        clearDoubts()
        away = []
        isStarted = false
    }

    private func clearDoubts() {
        for doubt in doubtful.values { doubt.cancel() }
        doubtful = [:]
    }
}
