import BlueZDBus
import CoreBlueZ
import TestSupport
import Testing

@Suite(.virtualTime) struct SleepTests {
    @Test("A sleep lasts as long as it shall")
    func lasts() async throws {
        let start = MonotonicInstant.now
        try await BluetoothActor.sleep(for: .milliseconds(30))
        #expect(MonotonicInstant.now - start >= .milliseconds(30))
    }

    @BluetoothActor
    @Test("A cancelled sleep ends at once, as cancelled", arguments: [true, false])
    func cancelled(isBegun: Bool) async throws {
        let task = Task { @BluetoothActor in try await BluetoothActor.sleep(for: .seconds(3600)) }
        if isBegun {
            // What comes later on the actor finds the first task asleep.
            await Task { @BluetoothActor in }.value
        }
        task.cancel()
        let error = await #expect(throws: BluetoothError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}
