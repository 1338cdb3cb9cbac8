import HeapModule

/// A queue of keys that are ordered by deadline. A key has one deadline. The entry of a cancelled deadline stays until
/// it reaches the top, or until such entries outnumber the others. The owner knows which keys are current, and passes
/// `isCurrent`.
struct DeadlineQueue<Key: Comparable> {
    private struct Entry: Comparable {
        let instant: MonotonicInstant
        let key: Key

        static func < (left: Self, right: Self) -> Bool {
            left.instant == right.instant ? left.key < right.key : left.instant < right.instant
        }
    }

    private var heap = Heap<Entry>()

    /// Adds a key.
    ///
    /// - Parameter count: the number of current keys.
    mutating func add(_ key: Key, at instant: MonotonicInstant, among count: Int, isCurrent: (Key) -> Bool) {
        if heap.count > 64 + 2 * count { heap = Heap(heap.unordered.filter { isCurrent($0.key) }) }
        heap.insert(Entry(instant: instant, key: key))
    }

    mutating func removeAll() {
        heap = Heap()
    }

    /// Returns the earliest deadline.
    mutating func earliest(isCurrent: (Key) -> Bool) -> MonotonicInstant? {
        while let first = heap.min {
            if isCurrent(first.key) { return first.instant }
            heap.removeMin()
        }
        return nil
    }

    /// Removes and returns the next key whose deadline is not after `now`.
    mutating func popDue(_ now: MonotonicInstant, isCurrent: (Key) -> Bool) -> Key? {
        guard let earliest = earliest(isCurrent: isCurrent), earliest <= now else { return nil }
        return heap.popMin()?.key
    }
}
