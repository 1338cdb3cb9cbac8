import CoreBlueZ

/// Runs steps of one service one after another: a sensor that is quickly switched on and off ends in the state that was
/// requested last.
@BluetoothActor final class StepQueue {
    private typealias Completion = @BluetoothActor (BluetoothError?) -> Void

    private var waiting: [(step: Step, completion: Completion)] = []
    private var isRunning = false
    /// Whether a step begins within a call that has not returned.
    private var isStarting = false

    /// Runs `step` after all earlier ones, and then `completion`, exactly once and after this call has returned.
    func enqueue(_ step: @escaping Step, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        waiting.append((step, completion))
        guard !isRunning else { return }
        isStarting = true
        next()
        isStarting = false
    }

    /// Ends the steps that have not begun.
    func cancel(_ error: BluetoothError) {
        let cancelled = waiting
        waiting = []
        for (_, completion) in cancelled { completion(error) }
    }

    private func next() {
        guard !waiting.isEmpty else { return }
        let (step, completion) = waiting.removeFirst()
        isRunning = true
        step { [self] error in
            guard isStarting else { return end(completion, error) }
            BluetoothActor.perform { [self] in end(completion, error) }
        }
    }

    private func end(_ completion: Completion, _ error: BluetoothError?) {
        isRunning = false
        completion(error)
        if !isRunning { next() }
    }

    /// Runs steps one after another until one fails.
    static func run(_ steps: [Step], completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let first = steps.first else { return completion(nil) }
        first { error in
            if let error { completion(error) } else { run(Array(steps.dropFirst()), completion: completion) }
        }
    }
}

/// An operation that takes time and then reports whether it succeeded.
typealias Step = @BluetoothActor (_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) -> Void

/// Waits for a method with a completion. Cancelling the task does not end the method.
@BluetoothActor func waiting<Value: Sendable>(
    _ start: @BluetoothActor (@escaping @BluetoothActor (Value?, BluetoothError?) -> Void) -> Void
) async throws(BluetoothError) -> Value {
    let result = await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Value, BluetoothError>, Never>) in
        start { value, error in
            if let value {
                continuation.resume(returning: .success(value))
            } else {
                continuation.resume(
                    returning: .failure(error ?? BluetoothError(.invalidData, "There is neither a value nor an error"))
                )
            }
        }
    }
    return try result.get()
}

/// Waits for a step.
@BluetoothActor func waiting(_ step: Step) async throws(BluetoothError) {
    let error: BluetoothError? = await withCheckedContinuation { continuation in
        step { continuation.resume(returning: $0) }
    }
    if let error { throw error }
}
