import CoreBlueZ
import Testing

/// Waits for conditions, with a deadline.
enum Patience {
    @BluetoothActor static func wait(
        for what: @autoclosure () -> String,
        within limit: Duration = .seconds(30),
        until condition: @BluetoothActor () async throws -> Bool
    ) async throws {
        let clock = ContinuousClock()
        let end = clock.now + limit
        while try await !condition() {
            try #require(clock.now < end, "waited in vain for: \(what())")
            try await clock.sleep(for: .milliseconds(1))
        }
    }
}
