import BlueZDBus
import DequeModule

/// The queues of the attributes. BlueZ refuses a second request with `InProgress` while one is pending
/// (src/gatt-client.c: characteristic_read_value, characteristic_write_value).
///
/// A waiting request has not begun. If it ends before its turn, it is never sent.
@BluetoothActor final class RequestQueues {
    private var queues: [ObjectPath: RequestQueue] = [:]
    /// The number of queues above which free ones are removed. A few are kept, because the same attributes are usually
    /// used again.
    private var limit = 64

    /// Makes the request the current one at its attribute, if there is none. Otherwise it waits.
    ///
    /// - Parameter begin: called if the request had to wait, when it is the current one.
    /// - Returns: whether the request is the current one now. The caller then begins it.
    func enter(_ request: AnyOperation, at path: ObjectPath, begin: @escaping @BluetoothActor () -> Void) -> Bool {
        // Copied first, so that the compiler can leave out the exclusivity check.
        let known = queues
        if let queue = known[path] {
            guard queue.isFree else {
                queue.waiting.append((request, begin))
                return false
            }
            queue.isFree = false
            request.queue = queue
        } else {
            let queue = RequestQueue()
            add(queue, at: path)
            request.queue = queue
        }
        return true
    }

    private func add(_ queue: RequestQueue, at path: ObjectPath) {
        var changed = queues
        queues = [:]
        if changed.count >= limit {
            changed = changed.filter { !$0.value.isFree }
            limit = max(64, 2 * changed.count)
        }
        changed[path] = queue
        queues = changed
    }
}

/// The requests to one attribute. One is in progress; the others wait.
@BluetoothActor final class RequestQueue {
    fileprivate var waiting: Deque<(request: AnyOperation, begin: @BluetoothActor () -> Void)> = []
    private var isAdvancing = false
    /// Whether no request is in progress.
    fileprivate var isFree = false

    fileprivate init() {}

    /// Called when the request in progress has succeeded.
    ///
    /// - Returns: false, and changes nothing, if another one waits.
    func leaveIfLast() -> Bool {
        guard waiting.isEmpty, !isAdvancing else { return false }
        isFree = true
        return true
    }

    /// Called when the request in progress has ended. After a failure, the next one begins later, because the reason
    /// may be about to end other requests, which must not be sent then.
    func advance(afterFailure hasFailed: Bool) {
        if hasFailed { BluetoothActor.perform { self.advance() } } else { advance() }
    }

    /// Begins the next request. If it ends immediately and calls this method again, the running loop continues, without
    /// recursion.
    private func advance() {
        isFree = true
        guard !isAdvancing else { return }
        isAdvancing = true
        while isFree, let (request, begin) = waiting.popFirst() {
            guard request.isPending else { continue }
            isFree = false
            request.queue = self
            begin()
        }
        isAdvancing = false
    }
}
