import CoreBlueZ
import FoundationEssentials

/// The values of several characteristics in one sequence, in order of arrival. It ends when all have ended, and fails
/// with the first failure.
@BluetoothActor final class NotificationMerge {
    private let merged = AsyncThrowingStream.makeStream(of: (Characteristic, Data).self)
    private var tasks: [Task<Void, Never>] = []
    private var running = 0

    func add(_ values: EventSequence<Data>, of characteristic: Characteristic) {
        running += 1
        tasks.append(
            Task { @BluetoothActor [weak self, merged] in
                do {
                    for try await value in values { merged.continuation.yield((characteristic, value)) }
                    self?.ended()
                } catch {
                    merged.continuation.finish(throwing: error)
                }
            })
    }

    private func ended() {
        running -= 1
        if running == 0 { merged.continuation.finish() }
    }

    /// All values; call it only once.
    func values() -> AsyncThrowingStream<(Characteristic, Data), any Error> { merged.stream }

    /// Ends the sequence, even if values could still arrive.
    func cancel() {
        for task in tasks { task.cancel() }
    }
}
