import DBus
import FoundationEssentials

/// Follows what bluetoothd has: implemented by what is built on this module, which knows nothing else of it.
@BluetoothActor package protocol ClientObserver: AnyObject {
    /// Whether bluetoothd can be used has changed.
    func updateState()
    /// bluetoothd is back, perhaps without some of its devices.
    func releaseGone()
    /// The mirror has applied a change. If it was one of an adapter, `updateState` follows.
    func mirrorDidChange(_ change: Mirror.Change)
    /// Services of a connected device are starting to come or go.
    func servicesWereModified(of device: ObjectPath)
    /// bluetoothd or the bus is gone, and with it, as far as is known, the links to these devices.
    func clientWasLost(_ devices: [ObjectPath], _ error: BluetoothError)
}

/// What bluetoothd knows of this process by a registration, such as an agent: one of a kind for a client, which keeps it.
@BluetoothActor package protocol Registration: AnyObject {
    init(_ client: BlueZClient)
    /// bluetoothd is running, perhaps again.
    func daemonStarted()
    /// bluetoothd has stopped, and with it what was registered.
    func daemonEnded()
    /// A manager is gone, and with it what it registered.
    func managerIsGone(_ manager: ObjectIdentifier)
}

/// Receives the values of one attribute's notifications.
@BluetoothActor package protocol ValueSubscriber: AnyObject {
    func receive(_ value: Data)
    /// No more values arrive.
    func endNotifications(_ error: BluetoothError)
}
