import DBus
import FoundationEssentials

/// Follows what bluetoothd has: implemented by what is built on this folder, which knows nothing else of it.
@BluetoothActor protocol ClientObserver: AnyObject {
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

/// Receives the values of one attribute's notifications.
@BluetoothActor protocol ValueSubscriber: AnyObject {
    func receive(_ value: Data)
    /// No more values arrive.
    func endNotifications(_ error: BluetoothError)
}
