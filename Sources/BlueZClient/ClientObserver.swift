import DBus
import FoundationEssentials

/// Observes bluetoothd's state: implemented by modules built on this one, which knows nothing else of them.
@BluetoothActor package protocol ClientObserver: AnyObject {
    /// The availability of bluetoothd has changed.
    func updateState()
    /// bluetoothd is back, perhaps without some of its devices.
    func releaseGone()
    /// The mirror has applied a change. For a change of an adapter, `updateState` follows.
    func mirrorDidChange(_ change: Mirror.Change)
    /// Services of a connected device are starting to be added or removed.
    func servicesWereModified(of device: ObjectPath)
    /// bluetoothd or the bus is gone, and with it, as far as is known, the links to these devices.
    func clientWasLost(_ devices: [ObjectPath], _ error: BluetoothError)
}

/// Something this process registers with bluetoothd, such as an agent: each client keeps one of a kind.
@BluetoothActor package protocol Registration: AnyObject {
    init(_ client: BlueZClient)
    /// bluetoothd has started.
    func daemonStarted()
    /// bluetoothd has stopped, which ends the registration.
    func daemonEnded()
    /// A manager is gone, and its part of the registration with it.
    func managerIsGone(_ manager: ObjectIdentifier)
}

/// Receives the values of one attribute's notifications.
@BluetoothActor package protocol ValueSubscriber: AnyObject {
    func receive(_ value: Data)
    /// No more values arrive.
    func endNotifications(_ error: BluetoothError)
}
