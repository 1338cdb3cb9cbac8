import DBus
import DequeModule

/// The operations of each attribute, one after another: BlueZ refuses a second one with `InProgress` while one is
/// pending (src/gatt-client.c: characteristic_read_value, characteristic_write_value).
@BluetoothActor final class OperationQueue {
    /// An operation that waits for its turn; false where it ended while it waited.
    private typealias Start = @BluetoothActor () -> Bool

    private var waiting: [ObjectPath: Deque<Start>] = [:]

    /// Runs `start` when all earlier operations of the path have ended, unless the operation has ended before. The next
    /// one follows when this one ends.
    func enqueue<Value>(_ operation: Operation<Value>, at path: ObjectPath, start: @escaping @BluetoothActor () -> Void)
    {
        let begin: Start = { [weak self] in
            guard operation.isPending else { return false }
            operation.whenEnded { _ in self?.advance(path) }
            start()
            return true
        }
        if waiting[path] == nil {
            waiting[path] = []
            if !begin() { waiting[path] = nil }
        } else {
            waiting[path]?.append(begin)
        }
    }

    private func advance(_ path: ObjectPath) {
        while let begin = waiting[path]?.popFirst() {
            if begin() { return }
        }
        waiting[path] = nil
    }
}
