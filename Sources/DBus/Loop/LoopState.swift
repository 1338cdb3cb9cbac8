import Glibc
import HeapModule

/// What a loop keeps under its lock.
struct LoopState {
    struct Source {
        var descriptor: CInt
        var events: PollEvents
        var deadline: SuspendingClock.Instant?
        var isReady = false
        let handler: @Sendable (PollEvents) -> Void
    }

    struct Deadline: Comparable {
        let instant: SuspendingClock.Instant
        let identifier: UInt64

        static func < (left: Self, right: Self) -> Bool {
            (left.instant, left.identifier) < (right.instant, right.identifier)
        }
    }

    var thread: pthread_t?
    var jobs: [UnownedJob] = []
    var isPolling = false
    var nextIdentifier: UInt64 = 1
    var sources: [UInt64: Source] = [:]
    var deadlines = Heap<Deadline>()
    var deadlineHandlers: [UInt64: @Sendable () -> Void] = [:]
    private var polled: [UInt64] = []
    private var ready: [(source: UInt64, events: PollEvents)] = []

    mutating func makeIdentifier() -> UInt64 {
        defer { nextIdentifier += 1 }
        return nextIdentifier
    }

    /// The descriptors to poll, the wake descriptor first, and the timeout in milliseconds (-1: for ever).
    mutating func prepareToPoll(wakeDescriptor: CInt) -> ([pollfd], CInt) {
        polled.removeAll(keepingCapacity: true)
        var descriptors = [pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)]
        var earliest: SuspendingClock.Instant?
        var mustNotWait = !jobs.isEmpty
        for (identifier, source) in sources {
            if source.isReady { mustNotWait = true }
            if let deadline = source.deadline { earliest = min(earliest ?? deadline, deadline) }
            guard source.descriptor >= 0 else { continue }
            polled.append(identifier)
            descriptors.append(pollfd(fd: source.descriptor, events: source.events.rawValue, revents: 0))
        }
        while let first = deadlines.min {
            guard deadlineHandlers[first.identifier] == nil else {
                earliest = min(earliest ?? first.instant, first.instant)
                break
            }
            deadlines.removeMin()
        }
        isPolling = true
        return (descriptors, mustNotWait ? 0 : Self.milliseconds(until: earliest))
    }

    /// Rounded up, so that the loop does not spin through the last millisecond before a deadline.
    private static func milliseconds(until instant: SuspendingClock.Instant?) -> CInt {
        guard let instant else { return -1 }
        let (seconds, attoseconds) = SuspendingClock().now.duration(to: instant).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return CInt(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    mutating func collectReady(_ descriptors: ArraySlice<pollfd>) {
        for (identifier, descriptor) in zip(polled, descriptors) where descriptor.revents != 0 {
            ready.append((identifier, PollEvents(rawValue: descriptor.revents)))
        }
    }

    /// The next handler that is due: a polled source, a source that asked for a turn or whose deadline has passed, a
    /// deadline. A handler may remove any other, so each is looked up only when its turn has come.
    mutating func nextReady() -> (@Sendable () -> Void)? {
        while let (identifier, events) = ready.popLast() {
            guard let source = sources[identifier] else { continue }
            sources[identifier]?.isReady = false
            return { source.handler(events) }
        }
        let now = SuspendingClock().now
        for (identifier, source) in sources {
            let isLate = source.deadline.map { $0 <= now } ?? false
            guard source.isReady || isLate else { continue }
            sources[identifier]?.isReady = false
            if isLate { sources[identifier]?.deadline = nil }
            return { source.handler([]) }
        }
        while let first = deadlines.min, first.instant <= now {
            deadlines.removeMin()
            if let handler = deadlineHandlers.removeValue(forKey: first.identifier) { return handler }
        }
        return nil
    }
}
