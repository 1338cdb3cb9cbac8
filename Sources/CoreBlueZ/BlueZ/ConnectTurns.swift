import DBus
import DequeModule

/// Makes attempts to connect begin one after another: a controller that looks for one peripheral may lose the link that
/// it is just making to another. A long attempt does not hold up the next: a peripheral that is away must not keep all
/// others from connecting.
@BluetoothActor final class ConnectTurns {
    private struct Turn {
        let operation: Operation<Void>
        let limit: Duration
        let body: @BluetoothActor () -> Void
    }

    /// The attempts on each adapter that wait while another has its turn.
    private var lines: [ObjectPath: Deque<Turn>] = [:]

    /// Runs `body` when the adapter is free, unless the operation has ended first. The adapter is free again when the
    /// operation has ended, or has held the adapter for the given time.
    func take(
        on adapter: ObjectPath,
        during operation: Operation<Void>,
        forAtMost limit: Duration,
        _ body: @escaping @BluetoothActor () -> Void
    ) {
        let turn = Turn(operation: operation, limit: limit, body: body)
        if lines[adapter] == nil {
            lines[adapter] = []
            begin(turn, on: adapter)
        } else {
            lines[adapter]?.append(turn)
        }
    }

    private func begin(_ turn: Turn, on adapter: ObjectPath) {
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
        turn.body()
    }

    private func advance(_ adapter: ObjectPath) {
        while let turn = lines[adapter]?.popFirst() {
            if turn.operation.isPending { return begin(turn, on: adapter) }
        }
        lines[adapter] = nil
    }
}
