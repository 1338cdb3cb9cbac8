import DBus
import DequeModule

/// The operations of each attribute, one after another: BlueZ refuses a second one with `InProgress` while one is
/// pending (src/gatt-client.c: characteristic_read_value, characteristic_write_value).
///
/// A waiting operation has not begun: if it ends meanwhile, it is never sent.
@BluetoothActor final class OperationQueue {
    /// Starts an operation at its turn; false if it ended while it waited.
    fileprivate typealias Start = @BluetoothActor () -> Bool

    /// The operations of one path; the first is in progress.
    @BluetoothActor final class Line {
        fileprivate let path: ObjectPath
        fileprivate weak var queue: OperationQueue?
        fileprivate var waiting: Deque<Start> = []
        fileprivate var isAdvancing = false
        fileprivate var isFree = false

        fileprivate init(_ path: ObjectPath, _ queue: OperationQueue) {
            self.path = path
            self.queue = queue
        }

        /// The first operation is over. After a failure the next one begins in a turn of its own: what ended this one may
        /// be about to end others, which must not be sent then.
        func advance(after error: BluetoothError?) {
            if error == nil { advance() } else { BluetoothActor.later { self.advance() } }
        }

        /// Begins the next one. One that is over at once comes back here, and is followed by the loop that is running, not
        /// by another one inside it.
        private func advance() {
            isFree = true
            guard !isAdvancing else { return }
            isAdvancing = true
            while isFree, let begin = waiting.popFirst() {
                isFree = false
                if !begin() { isFree = true }
            }
            isAdvancing = false
            if isFree { queue?.release(self) }
        }
    }

    /// So many are kept though they are free: mostly the same attributes are read and written again.
    private static let freeLines = 64
    private var lines: [ObjectPath: Line] = [:]

    /// Gives the operation its turn, if all earlier ones of the path are over. The next one follows when this one is.
    ///
    /// - Returns: whether its turn has come.
    func enter<Value>(_ operation: Operation<Value>, at path: ObjectPath) -> Bool {
        if let line = lines[path] {
            guard line.isFree else { return false }
            line.isFree = false
            operation.line = line
        } else {
            let line = Line(path, self)
            lines[path] = line
            operation.line = line
        }
        return true
    }

    /// Remembers what starts the operation when all earlier ones of the path are over, unless it has ended before.
    ///
    /// - Parameter limit: how long it may wait.
    func wait<Value>(
        _ operation: Operation<Value>,
        at path: ObjectPath,
        atMost limit: Duration,
        start: @escaping @BluetoothActor () -> Void
    ) {
        guard let line = lines[path] else { return }
        operation.wait(atMost: limit)
        line.waiting.append { [weak line] in
            guard operation.isPending else { return false }
            operation.stopWaiting()
            operation.line = line
            start()
            return true
        }
    }

    private func release(_ line: Line) {
        if lines.count > Self.freeLines { lines[line.path] = nil }
    }
}
