import DBus
import DequeModule

/// Makes attempts to connect begin one after another: a controller that looks for one peripheral may lose the link that
/// it is just making to another. A long attempt does not hold up the next: a peripheral that is away must not keep all
/// others from connecting.
@BluetoothActor package final class ConnectTurns {
    private struct Turn {
        let operation: Operation<Void>
        let limit: Duration
        let body: @BluetoothActor () -> Void
    }

    /// The attempts on each adapter that wait while another has its turn.
    private var lines: [ObjectPath: Deque<Turn>] = [:]

    /// Runs `body` when the adapter is free, unless the operation has ended first. The adapter is free again when the
    /// operation has ended, or has held the adapter for the given time.
    package func take(
        on adapter: ObjectPath,
        during operation: Operation<Void>,
        forAtMost limit: Duration,
        _ body: @escaping @BluetoothActor () -> Void
    ) {
        let isFree = lines[adapter] == nil
        lines[adapter, default: []].append(Turn(operation: operation, limit: limit, body: body))
        if isFree { advance(adapter) }
    }

    private func advance(_ adapter: ObjectPath) {
        while let turn = lines[adapter]?.popFirst() {
            guard turn.operation.isPending else { continue }
            var isOver = false
            let end: @BluetoothActor () -> Void = { [weak self] in
                guard !isOver else { return }
                isOver = true
                self?.advance(adapter)
            }
            let timer = BluetoothActor.after(turn.limit, end)
            turn.operation.whenEnded { _ in
                timer.cancel()
                // What ended this attempt may be about to end others.
                BluetoothActor.later(end)
            }
            return turn.body()
        }
        lines[adapter] = nil
    }
}
