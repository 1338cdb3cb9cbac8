import BlueZDBus
import DequeModule

/// Lets attempts to connect begin one after another. A controller that searches for one peripheral may lose the link
/// that it is just making to another. A long attempt does not delay the next one, so that a peripheral that is out of
/// range does not keep all others from connecting.
@BluetoothActor package final class ConnectQueue {
    private struct Entry {
        let operation: Operation<Void>
        let limit: Duration
        let body: @BluetoothActor () -> Void
    }

    /// The attempts that wait on each adapter while another connects.
    private var waiting: [ObjectPath: Deque<Entry>] = [:]

    /// Runs `body` when the adapter is free, unless the operation has ended first. The adapter is free again when the
    /// operation has ended, or has held the adapter for the given time.
    package func enqueue(
        on adapter: ObjectPath,
        during operation: Operation<Void>,
        forAtMost limit: Duration,
        _ body: @escaping @BluetoothActor () -> Void
    ) {
        let isFree = waiting[adapter] == nil
        waiting[adapter, default: []].append(Entry(operation: operation, limit: limit, body: body))
        if isFree { advance(adapter) }
    }

    private func advance(_ adapter: ObjectPath) {
        while let entry = waiting[adapter]?.popFirst() {
            guard entry.operation.isPending else { continue }
            var isOver = false
            let end: @BluetoothActor () -> Void = { [weak self] in
                guard !isOver else { return }
                isOver = true
                self?.advance(adapter)
            }
            let timer = BluetoothActor.after(entry.limit, end)
            entry.operation.whenEnded { _ in
                timer.cancel()
                // What ended this attempt may be about to end others.
                BluetoothActor.perform(end)
            }
            return entry.body()
        }
        waiting[adapter] = nil
    }
}
