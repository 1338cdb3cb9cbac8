import BlueZPrintableText
import BlueZScript
import CoreBlueZ

/// The end of a command's `--timeout`.
struct Deadline {
    private let end: ContinuousClock.Instant
    let total: Duration

    init(_ duration: Duration) {
        total = duration
        end = ContinuousClock.now + duration
    }

    var remaining: Duration { max(.zero, end - ContinuousClock.now) }

    /// Runs `body`, and cancels it when the time is over.
    @BluetoothActor func run<Value: Sendable>(
        _ what: String,
        _ body: @escaping @BluetoothActor () async throws -> Value
    ) async throws -> Value {
        let remaining = remaining
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await BluetoothActor.sleep(for: remaining)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else {
                throw CommandFailure(.timedOut, "\(what): no response within \(total.roundedText); see --timeout")
            }
            return value
        }
    }
}
