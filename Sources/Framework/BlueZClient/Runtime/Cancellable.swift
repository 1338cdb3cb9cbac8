/// An operation in progress that can be ended from outside.
@BluetoothActor public protocol Cancellable: AnyObject {
    /// Ends the operation with the error. Does nothing if it has ended.
    func fail(_ error: BluetoothError)
}

/// A closure that ends an operation in progress; by default, one that cannot be ended.
@BluetoothActor public final class Cancellation: Cancellable {
    private let cancel: @BluetoothActor (BluetoothError) -> Void

    /// Creates a cancellation.
    ///
    /// - Parameter cancel: ends the operation with the error.
    public init(_ cancel: @escaping @BluetoothActor (BluetoothError) -> Void = { _ in }) {
        self.cancel = cancel
    }

    /// Runs the closure.
    public func fail(_ error: BluetoothError) { cancel(error) }
}
