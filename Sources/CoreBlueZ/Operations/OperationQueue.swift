import DBus
import DequeModule

/// The operations of each attribute, one after another: BlueZ refuses a second one with `InProgress` while one is
/// pending (src/gatt-client.c: characteristic_read_value, characteristic_write_value).
///
/// A waiting operation has not begun: if it ends meanwhile, it is never sent.
@BluetoothActor final class OperationQueue {
    /// Starts an operation at its turn; false if it ended while it waited.
    private typealias Start = @BluetoothActor () -> Bool

    /// The operations of one path; the first is in progress.
    private final class Line {
        var waiting: Deque<Start> = []
        var isAdvancing = false
        var isFree = false
    }

    private var lines: [ObjectPath: Line] = [:]

    /// Gives the operation its turn, or remembers what starts it when all earlier ones of the path are over, unless it
    /// has ended first. The next one follows when this one is over.
    ///
    /// - Parameter limit: how long it may wait.
    /// - Returns: true if its turn has come already.
    func enter<Value>(
        _ operation: Operation<Value>,
        at path: ObjectPath,
        waitingAtMost limit: Duration,
        orLater start: @escaping @BluetoothActor () -> Void
    ) -> Bool {
        guard let line = lines[path] else {
            lines[path] = Line()
            operation.whenOver { [weak self] in self?.advance(path, after: $0) }
            return true
        }
        operation.wait(atMost: limit)
        line.waiting.append { [weak self] in
            guard operation.isPending else { return false }
            operation.stopWaiting()
            operation.whenOver { self?.advance(path, after: $0) }
            start()
            return true
        }
        return false
    }

    /// After a failure the next operation begins in a turn of its own: what ended this one may be about to end others,
    /// which must not be sent then.
    private func advance(_ path: ObjectPath, after error: BluetoothError?) {
        if error == nil { advance(path) } else { BluetoothActor.later { [weak self] in self?.advance(path) } }
    }

    /// Begins the next operation. One that is over at once comes back here; the running loop then starts the next one,
    /// instead of a nested loop.
    private func advance(_ path: ObjectPath) {
        guard let line = lines[path] else { return }
        line.isFree = true
        guard !line.isAdvancing else { return }
        line.isAdvancing = true
        while line.isFree, let begin = line.waiting.popFirst() {
            line.isFree = false
            if !begin() { line.isFree = true }
        }
        line.isAdvancing = false
        if line.isFree { lines[path] = nil }
    }
}
