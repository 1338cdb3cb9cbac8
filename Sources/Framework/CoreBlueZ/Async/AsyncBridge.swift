/// Lets a task wait for an operation that has a completion: for the async form of a driver's own operation.
///
/// ```swift
/// func calibrate() async throws(BluetoothError) {
///     try await AsyncBridge.wait { completion in
///         calibrate { completion(Result(failure: $0)) }
///         return Cancellation { [weak self] _ in self?.stopCalibrating() }
///     }
/// }
/// ```
@BluetoothActor public enum AsyncBridge {
    /// The operation to cancel if the task is cancelled, which is known only once the operation has started.
    @BluetoothActor private final class Wait {
        var operation: (any Cancellable)?
        var isCancelled = false

        static let error = BluetoothError(.cancelled, "The task that waited was cancelled")

        func cancel() {
            isCancelled = true
            operation?.fail(Self.error)
        }
    }

    /// The closure that an operation calls once, with its result.
    public typealias Completion<Value> = @BluetoothActor (Result<Value, BluetoothError>) -> Void

    /// Waits for an operation. Cancelling the task ends the operation. If the task is already cancelled, the operation
    /// never begins.
    ///
    /// - Parameter start: begins the operation, which calls the completion once, and returns what ends it.
    /// - Throws: the operation's error, or `cancelled`.
    public static func wait<Value: Sendable>(
        _ start: @BluetoothActor (@escaping Completion<Value>) -> any Cancellable
    ) async throws(BluetoothError) -> Value {
        let wait = Wait()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, BluetoothError>, Never>) in
                guard !Task.isCancelled else { return continuation.resume(returning: .failure(Wait.error)) }
                let operation = start { continuation.resume(returning: $0) }
                wait.operation = operation
                if wait.isCancelled { wait.cancel() }
            }
        } onCancel: {
            BluetoothActor.perform { wait.cancel() }
        }
        return try result.get()
    }

    /// Waits for an operation that must be done even in a cancelled task, such as cleaning up.
    ///
    /// - Parameter start: begins the operation, which calls the completion once.
    /// - Throws: the operation's error.
    public static func waitRegardless<Value: Sendable>(
        _ start: @BluetoothActor (@escaping Completion<Value>) -> any Cancellable
    ) async throws(BluetoothError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, BluetoothError>, Never>) in
            _ = start { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}
