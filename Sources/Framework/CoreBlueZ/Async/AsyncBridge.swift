/// Lets a task wait for an operation that has a completion. Cancelling the task cancels the operation. If the task is
/// already cancelled, the operation never begins.
@BluetoothActor package enum AsyncBridge {
    /// The operation to cancel if the task is cancelled, which is known only once the operation has started.
    @BluetoothActor private final class Cancellation {
        var operation: (any Cancellable)?
        var isCancelled = false

        static let error = BluetoothError(.cancelled, "The task that waited was cancelled")

        func cancel() {
            isCancelled = true
            operation?.fail(Self.error)
        }
    }

    package typealias Completion<Value> = @BluetoothActor (Result<Value, BluetoothError>) -> Void

    package static func wait<Value: Sendable>(
        _ start: @BluetoothActor (@escaping Completion<Value>) -> any Cancellable
    ) async throws(BluetoothError) -> Value {
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, BluetoothError>, Never>) in
                guard !Task.isCancelled else { return continuation.resume(returning: .failure(Cancellation.error)) }
                let operation = start { continuation.resume(returning: $0) }
                cancellation.operation = operation
                if cancellation.isCancelled { cancellation.cancel() }
            }
        } onCancel: {
            BluetoothActor.perform { cancellation.cancel() }
        }
        return try result.get()
    }

    /// Waits for work that must be done even in a cancelled task, such as cleaning up.
    package static func waitRegardless<Value: Sendable>(
        _ start: @BluetoothActor (@escaping Completion<Value>) -> any Cancellable
    ) async throws(BluetoothError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, BluetoothError>, Never>) in
            _ = start { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}
