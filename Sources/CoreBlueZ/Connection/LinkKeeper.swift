import DBus

/// Whoever follows how a peripheral's link is made, lost and brought back, beside the program's own handlers.
@BluetoothActor protocol LinkKeeper: AnyObject {
    /// An attempt begins.
    func attemptBegins()
    /// It has failed; the next one follows by the policy, unless it was the last.
    func attemptFailed(_ error: BluetoothError)
    /// The link is there, and its subscriptions are.
    func linkIsUp()
    /// The link has ended.
    func linkDidEnd(_ error: BluetoothError?)
    /// The program wants no link any longer, or has released the peripheral.
    func wasCancelled(_ error: BluetoothError?)
    /// Whether Bluetooth can be used has changed.
    func managerDidUpdateState()
    /// There is a link to a device, whoever made it.
    func deviceDidConnect(_ path: ObjectPath)
}
