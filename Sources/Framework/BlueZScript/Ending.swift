import CoreBlueZ

/// The end of a program with several possible causes, of which the first one counts.
@BluetoothActor package final class Ending {
    private var result: Result<Void, any Error>?
    private var waiting: CheckedContinuation<Void, any Error>?

    package nonisolated init() {}

    /// Ends the program, with an error or successfully. Later calls do nothing.
    package func end(_ error: (any Error)? = nil) {
        guard result == nil else { return }
        let result = Result(failure: error)
        self.result = result
        waiting?.resume(with: result)
        waiting = nil
    }

    /// Waits for the end, or for the task's cancellation.
    ///
    /// - Throws: the error of `end`, or `CancellationError`.
    package func wait() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let result { continuation.resume(with: result) } else { waiting = continuation }
            }
        } onCancel: {
            BluetoothActor.perform { self.end(CancellationError()) }
        }
    }
}
