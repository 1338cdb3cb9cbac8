import HeapModule

/// What is due when. A key has at most one deadline.
///
/// Removed entries stay in the heap until they reach its top, or until they outnumber the others.
struct DeadlineQueue<Key: Hashable & Comparable> {
    private struct Entry: Comparable {
        let instant: SuspendingClock.Instant
        let key: Key

        static func < (left: Self, right: Self) -> Bool {
            (left.instant, left.key) < (right.instant, right.key)
        }
    }

    private var heap = Heap<Entry>()
    private var instants: [Key: SuspendingClock.Instant] = [:]

    /// Sets, moves or (nil) removes a key's deadline.
    mutating func set(_ instant: SuspendingClock.Instant?, for key: Key) {
        guard instants[key] != instant else { return }
        instants[key] = instant
        if let instant { heap.insert(Entry(instant: instant, key: key)) }
        if heap.count > 64 + 2 * instants.count {
            heap = Heap(instants.map { Entry(instant: $0.value, key: $0.key) })
        }
    }

    mutating func removeAll() {
        self = DeadlineQueue()
    }

    /// The earliest deadline.
    var earliest: SuspendingClock.Instant? {
        mutating get {
            while let first = heap.min {
                if instants[first.key] == first.instant { return first.instant }
                heap.removeMin()
            }
            return nil
        }
    }

    /// The next key whose deadline is not after `now`; its deadline is removed.
    mutating func popDue(_ now: SuspendingClock.Instant) -> Key? {
        guard let earliest, earliest <= now, let first = heap.popMin() else { return nil }
        instants[first.key] = nil
        return first.key
    }
}

extension SuspendingClock {
    /// The instant that is this far from now. A negative delay means now; delays end at thirty years.
    func instant(after delay: Duration) -> Instant {
        now.advanced(by: min(max(delay, .zero), .seconds(1_000_000_000)))
    }
}
