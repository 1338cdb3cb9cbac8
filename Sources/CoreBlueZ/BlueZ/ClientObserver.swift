import DBus
import FoundationEssentials

/// Whoever follows what bluetoothd has: what is built on this folder, of which it knows nothing else.
@BluetoothActor protocol ClientObserver: AnyObject {
    /// Whether bluetoothd can be used has changed.
    func updateState()
    /// bluetoothd is back, perhaps without devices that it had.
    func releaseGone()
    /// The mirror has taken over a message.
    func mirrorDidChange(_ changes: [Mirror.Change])
    /// Services of a connected device begin to come or go.
    func servicesWereModified(of device: ObjectPath)
    /// bluetoothd or the bus is gone, and the links to these devices as far as can be known.
    func clientWasLost(_ devices: [ObjectPath], _ error: BluetoothError)
}

/// Whoever takes the values that one attribute notifies of.
@BluetoothActor protocol ValueSubscriber: AnyObject {
    func receive(_ value: Data)
    /// No more values come.
    func endNotifications(_ error: BluetoothError)
}
