/// An operation in progress that can be ended from outside.
@BluetoothActor package protocol Cancellable: AnyObject {
    /// Ends the operation with the error. Does nothing if it has ended.
    func fail(_ error: BluetoothError)
}
