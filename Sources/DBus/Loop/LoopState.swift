import Dispatch
import Glibc

/// What a loop keeps under its lock.
struct LoopState {
    struct Source {
        var descriptor: CInt
        var events: PollEvents
        var hasTurn = false
        let handler: @Sendable (PollEvents) -> Void
    }

    var thread: pthread_t?
    /// Where everything runs, if not on the thread.
    var queue: DispatchQueue?
    /// The label of the queue that it targets.
    var queueLabel: String?
    /// Whether a job or a registration has ever arrived.
    private(set) var isUsed = false
    var jobs: [UnownedJob] = []
    var sources: [UInt64: Source] = [:]
    var scheduled: [UInt64: @Sendable () -> Void] = [:]
    /// The deadlines of sources and of scheduled calls.
    var deadlines = DeadlineQueue<UInt64>()
    private var turns: [UInt64] = []
    private var isPolling = false
    private var lastIdentifier: UInt64 = 0
    private var polled: [UInt64] = []
    private var ready: [(identifier: UInt64, events: PollEvents)] = []
    private var nextReadyIndex = 0

    /// Whether something is due or enqueued.
    var hasWork: Bool { !jobs.isEmpty || nextReadyIndex < ready.count }

    mutating func add(_ job: UnownedJob) {
        isUsed = true
        jobs.append(job)
    }

    mutating func makeIdentifier() -> UInt64 {
        isUsed = true
        lastIdentifier += 1
        return lastIdentifier
    }

    /// Whether the thread may be asleep: true for the first caller.
    mutating func mustWake() -> Bool {
        defer { isPolling = false }
        return isPolling
    }

    /// Adds a call; without an instant it runs in the next pass.
    mutating func schedule(
        _ identifier: UInt64, at instant: SuspendingClock.Instant?, _ body: @escaping @Sendable () -> Void
    ) {
        scheduled[identifier] = body
        if let instant { deadlines.set(instant, for: identifier) } else { turns.append(identifier) }
    }

    mutating func requestTurn(of identifier: UInt64) {
        guard sources[identifier]?.hasTurn == false else { return }
        sources[identifier]?.hasTurn = true
        turns.append(identifier)
    }

    /// The descriptors to poll, the wake descriptor first, and the timeout in milliseconds (-1: forever).
    mutating func prepareToPoll(wakeDescriptor: CInt) -> ([pollfd], CInt) {
        polled.removeAll(keepingCapacity: true)
        var descriptors = [pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)]
        for (identifier, source) in sources where source.descriptor >= 0 {
            polled.append(identifier)
            descriptors.append(pollfd(fd: source.descriptor, events: source.events.rawValue, revents: 0))
        }
        isPolling = true
        let mustNotWait = !jobs.isEmpty || !turns.isEmpty
        return (descriptors, mustNotWait ? 0 : PollTimeout.milliseconds(until: deadlines.earliest))
    }

    /// Collects everything that is due now: polled sources, sources that asked for a turn, deadlines. What comes up
    /// while these run is left to the next pass, so that no source starves the others.
    mutating func collectReady(_ descriptors: ArraySlice<pollfd>) {
        isPolling = false
        ready.removeAll(keepingCapacity: true)
        nextReadyIndex = 0
        for (identifier, descriptor) in zip(polled, descriptors) where descriptor.revents != 0 {
            ready.append((identifier, PollEvents(rawValue: descriptor.revents)))
        }
        for identifier in turns {
            sources[identifier]?.hasTurn = false
            ready.append((identifier, []))
        }
        turns.removeAll(keepingCapacity: true)
        guard deadlines.earliest != nil else { return }
        let now = SuspendingClock().now
        while let identifier = deadlines.popDue(now) { ready.append((identifier, [])) }
    }

    /// The next handler of this pass. A handler may remove any other, so each is looked up only at its turn.
    mutating func nextReady() -> (@Sendable () -> Void)? {
        while nextReadyIndex < ready.count {
            let (identifier, events) = ready[nextReadyIndex]
            nextReadyIndex += 1
            if let source = sources[identifier] { return { source.handler(events) } }
            if let body = scheduled.removeValue(forKey: identifier) { return body }
        }
        return nil
    }
}
