import BlueZClient
import DBus

/// The subscriptions to one local characteristic.
///
/// From BlueZ 5.69 on, bluetoothd acquires a socket for each central that subscribes, and closes it when the central
/// unsubscribes or its link ends. Before, or if it cannot, it calls StartNotify for the first central and StopNotify
/// after the last.
@BluetoothActor final class LocalSubscriptions {
    private(set) var isStarted = false
    private(set) var sockets: [ObjectPath: SubscriberSocket] = [:]
    /// Bonded centrals that subscribed on an earlier link. bluetoothd keeps their configuration, but acquires no socket
    /// when they are back.
    private var resumed: Set<ObjectPath> = []
    /// Bonded centrals whose link has ended while they were subscribed.
    private var away: Set<ObjectPath> = []
    /// Centrals whose socket was closed a moment ago, perhaps because their link ends.
    private var closed: Set<ObjectPath> = []

    /// How long bluetoothd may take between closing a socket and reporting that the link has ended.
    private static let linkReport = Duration.seconds(5)

    var isActive: Bool { isStarted || !sockets.isEmpty || !resumed.isEmpty }

    /// Whether bluetoothd says who has subscribed.
    var areNamed: Bool { !isStarted }

    var centrals: [ObjectPath] { Set(sockets.keys).union(resumed).sorted() }

    // MARK: Without names

    func start() { isStarted = true }

    func stop() { isStarted = false }

    // MARK: With names

    /// - Returns: whether the central had not subscribed.
    func add(_ socket: SubscriberSocket, of device: ObjectPath) -> Bool {
        let isNew = sockets[device] == nil && !resumed.contains(device)
        sockets.removeValue(forKey: device)?.close()
        sockets[device] = socket
        resumed.remove(device)
        forget(device)
        return isNew
    }

    /// Handles a socket that bluetoothd has closed.
    ///
    /// - Returns: whether the central had subscribed by this socket.
    func remove(_ socket: SubscriberSocket, of device: ObjectPath, isConnected: Bool, isBonded: Bool) -> Bool {
        guard sockets[device] === socket else { return false }
        sockets[device] = nil
        socket.close()
        if isBonded {
            if isConnected {
                closed.insert(device)
                _ = BluetoothActor.after(Self.linkReport) { [weak self] in _ = self?.closed.remove(device) }
            } else {
                away.insert(device)
            }
        }
        return true
    }

    /// Handles the end of a central's link, which ends its subscription until a bonded central is back.
    ///
    /// - Returns: whether the central had subscribed.
    func linkDidEnd(_ device: ObjectPath, isBonded: Bool) -> Bool {
        let wasClosed = closed.remove(device) != nil
        let socket = sockets.removeValue(forKey: device)
        socket?.close()
        let wasSubscribed = resumed.remove(device) != nil || socket != nil
        if isBonded, wasSubscribed || wasClosed { away.insert(device) }
        return wasSubscribed
    }

    /// Handles a link to a central.
    ///
    /// - Returns: whether a subscription from an earlier link is in force again.
    func linkDidBegin(_ device: ObjectPath, isBonded: Bool) -> Bool {
        guard away.remove(device) != nil, isBonded else { return false }
        resumed.insert(device)
        return true
    }

    private func forget(_ device: ObjectPath) {
        away.remove(device)
        closed.remove(device)
    }

    /// Ends everything.
    func removeAll() {
        for socket in sockets.values { socket.close() }
        sockets = [:]
        resumed = []
        away = []
        closed = []
        isStarted = false
    }
}
