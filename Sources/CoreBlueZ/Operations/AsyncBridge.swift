/// Something under way that can be ended from outside.
@BluetoothActor package protocol Cancellable: AnyObject {
    /// Ends it with the error; does nothing once it has ended.
    func fail(_ error: BluetoothError)
}

/// Lets a task wait for an operation with a completion. Where the task is cancelled, the operation is.
@BluetoothActor package enum AsyncBridge {
    /// The operation that a cancelled task takes back: known only once it was started.
    @BluetoothActor private final class Cancellation {
        var operation: (any Cancellable)?
        var isCancelled = false

        func cancel() {
            isCancelled = true
            operation?.fail(BluetoothError(.cancelled, "The task that waited was cancelled"))
        }
    }

    package static func wait<Value: Sendable>(
        _ start: @BluetoothActor (@escaping @BluetoothActor (Result<Value, BluetoothError>) -> Void) -> any Cancellable
    ) async throws(BluetoothError) -> Value {
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, BluetoothError>, Never>) in
                let operation = start { continuation.resume(returning: $0) }
                cancellation.operation = operation
                if cancellation.isCancelled { cancellation.cancel() }
            }
        } onCancel: {
            BluetoothActor.later { cancellation.cancel() }
        }
        return try result.get()
    }
}
