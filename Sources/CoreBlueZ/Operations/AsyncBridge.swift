/// Lets a task wait for an operation with a completion. Where the task is cancelled, the operation is.
@BluetoothActor enum AsyncBridge {
    /// The operation that a cancelled task takes back: known only once it was started.
    @BluetoothActor private final class Cancellation {
        var operation: (any AnyOperation)?
        var isCancelled = false

        func cancel() {
            isCancelled = true
            operation?.fail(BluetoothError(.cancelled, "The task that waited was cancelled"))
        }
    }

    static func wait<Value: Sendable>(
        _ start: @BluetoothActor (@escaping @BluetoothActor (Result<Value, BluetoothError>) -> Void) -> any AnyOperation
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
