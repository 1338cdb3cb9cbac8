/// Something in progress that can be ended from outside.
@BluetoothActor package protocol Cancellable: AnyObject {
    /// Ends it with the error; does nothing once it has ended.
    func fail(_ error: BluetoothError)
}
