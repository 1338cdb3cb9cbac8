import BlueZDBus
import FoundationEssentials

/// An observer of bluetoothd's state. Modules that are built on this one implement it.
@BluetoothActor package protocol ClientObserver: AnyObject {
    /// The availability of bluetoothd has changed.
    func updateState()
    /// bluetoothd is back. It may have forgotten some devices.
    func releaseGone()
    /// The mirror has applied a change. For a change of an adapter, `updateState` follows.
    func mirrorDidChange(_ change: Mirror.Change)
    /// Services of a connected device are starting to be added or removed.
    func servicesWereModified(of device: ObjectPath)
    /// bluetoothd or the bus is gone. The links to these devices count as lost.
    func clientWasLost(_ devices: [ObjectPath], _ error: BluetoothError)
}

/// An object that this process registers with bluetoothd, such as an agent. Each client has one of each kind.
@BluetoothActor package protocol Registration: AnyObject {
    init(_ client: BlueZClient)
    /// bluetoothd has started.
    func daemonStarted()
    /// bluetoothd has stopped, which ends the registration.
    func daemonEnded()
    /// A manager is gone, which ends its part of the registration.
    func managerIsGone(_ manager: ObjectIdentifier)
}

/// Receives the values of one attribute's notifications.
@BluetoothActor package protocol ValueSubscriber: AnyObject {
    func receive(_ value: Data)
    /// No more values arrive.
    func endNotifications(_ error: BluetoothError)
}
