import Dispatch
import Glibc

/// The state of a loop, protected by its lock.
struct LoopState {
    struct Source {
        let identifier: UInt64
        var descriptor: CInt
        var events: PollEvents
        var hasRequestedPass = false
        var deadline: MonotonicInstant?
        let handler: @Sendable (PollEvents) -> Void
    }

    /// Work that is due. It is not copyable, so that passing its closure on costs no reference counting.
    enum Due: ~Copyable {
        case source(@Sendable (PollEvents) -> Void, PollEvents)
        case call(@Sendable () -> Void)
        /// The actors' jobs, which run last in a pass.
        case jobs
    }

    /// The queue that runs everything, instead of the thread.
    var queue: DispatchQueue?
    /// The label of the queue that `queue` targets.
    var queueLabel: String?
    /// Whether a job or a registration has ever arrived.
    private(set) var isUsed = false
    var jobs: [UnownedJob] = []
    /// The sources in the order of registration. There are few.
    private var sources: [Source] = []
    private var scheduled: [UInt64: @Sendable () -> Void] = [:]
    /// The deadlines of scheduled calls.
    private var deadlines = DeadlineQueue<UInt64>()
    private var passRequests: [UInt64] = []
    private var isPolling = false
    /// The latest time at which the thread's wait ends.
    private(set) var polledUntil: MonotonicInstant?
    private var lastIdentifier: UInt64 = 0
    /// The sources whose descriptors are polled, and whether the list is current.
    private var polled: [UInt64] = []
    private var arePolledCurrent = false
    /// The sources that are ready in this pass, which are the first elements. The rest is from earlier passes.
    private var ready: [(identifier: UInt64, events: PollEvents)] = []
    private var readyCount = 0
    private var nextReadyIndex = 0

    mutating func add(_ job: UnownedJob) {
        isUsed = true
        jobs.append(job)
    }

    private mutating func makeIdentifier() -> UInt64 {
        isUsed = true
        lastIdentifier += 1
        return lastIdentifier
    }

    /// Returns whether the thread must be woken. True for the first caller.
    mutating func mustWake() -> Bool {
        defer { isPolling = false }
        return isPolling
    }

    // MARK: Sources

    mutating func addSource(
        _ descriptor: CInt, _ events: PollEvents, _ handler: @escaping @Sendable (PollEvents) -> Void
    ) -> UInt64 {
        let identifier = makeIdentifier()
        sources.append(Source(identifier: identifier, descriptor: descriptor, events: events, handler: handler))
        arePolledCurrent = false
        return identifier
    }

    private func index(of identifier: UInt64) -> Int? {
        sources.firstIndex { $0.identifier == identifier }
    }

    /// Returns whether that changes anything.
    mutating func updateSource(_ identifier: UInt64, _ descriptor: CInt, _ events: PollEvents) -> Bool {
        guard let index = index(of: identifier) else { return false }
        guard sources[index].descriptor != descriptor || sources[index].events != events else { return false }
        sources[index].descriptor = descriptor
        sources[index].events = events
        arePolledCurrent = false
        return true
    }

    /// Returns whether the thread waits for longer than that.
    mutating func setDeadline(_ deadline: MonotonicInstant?, of identifier: UInt64) -> Bool {
        guard let index = index(of: identifier) else { return false }
        sources[index].deadline = deadline
        guard let deadline else { return false }
        return polledUntil.map { deadline < $0 } ?? true
    }

    mutating func requestPass(of identifier: UInt64) {
        guard let index = index(of: identifier), !sources[index].hasRequestedPass else { return }
        sources[index].hasRequestedPass = true
        passRequests.append(identifier)
    }

    mutating func removeSource(_ identifier: UInt64) -> Source? {
        guard let index = index(of: identifier) else { return nil }
        arePolledCurrent = false
        return sources.remove(at: index)
    }

    // MARK: Scheduled calls

    /// Adds a call. Without an instant, it runs in the next pass.
    mutating func schedule(at instant: MonotonicInstant?, _ body: @escaping @Sendable () -> Void) -> UInt64 {
        let identifier = makeIdentifier()
        scheduled[identifier] = body
        if let instant {
            let calls = scheduled
            deadlines.add(identifier, at: instant, among: calls.count) { calls[$0] != nil }
        } else {
            passRequests.append(identifier)
        }
        return identifier
    }

    mutating func cancel(_ identifier: UInt64) -> (@Sendable () -> Void)? {
        scheduled.removeValue(forKey: identifier)
    }

    // MARK: Passes

    /// Sets what to poll, and for how long.
    ///
    /// - Parameter now: the time, or a little before.
    mutating func prepareToPoll(_ polling: inout Polling, _ now: MonotonicInstant) {
        if !arePolledCurrent {
            arePolledCurrent = true
            let watched = sources.filter { $0.descriptor >= 0 }
            polled = watched.map(\.identifier)
            polling.descriptors =
                [pollfd(fd: polling.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
                + watched.map { pollfd(fd: $0.descriptor, events: $0.events.rawValue, revents: 0) }
        }
        let calls = scheduled
        polledUntil = deadlines.earliest { calls[$0] != nil }
        for index in sources.indices {
            if let deadline = sources[index].deadline { polledUntil = min(deadline, polledUntil ?? deadline) }
        }
        isPolling = true
        let mustNotWait = !jobs.isEmpty || !passRequests.isEmpty
        polling.timeout = mustNotWait ? 0 : PollTimeout.milliseconds(until: polledUntil, from: now)
    }

    /// Notes everything that is due now: polled sources, sources that requested a pass, and deadlines. Work that
    /// becomes due in the meantime is left to the next pass, so that none is delayed forever.
    ///
    /// - Parameters:
    ///   - descriptors: the polled descriptors, or nil if none is ready.
    ///   - now: the time.
    mutating func collectReady(_ descriptors: [pollfd]?, _ now: MonotonicInstant) {
        isPolling = false
        readyCount = 0
        nextReadyIndex = 0
        if let descriptors {
            // The first descriptor wakes the thread.
            for index in 1..<descriptors.count where descriptors[index].revents != 0 {
                addReady(polled[index - 1], PollEvents(rawValue: descriptors[index].revents))
            }
        }
        for identifier in passRequests {
            if let index = index(of: identifier) { sources[index].hasRequestedPass = false }
            addReady(identifier, [])
        }
        if !passRequests.isEmpty { passRequests.removeAll(keepingCapacity: true) }
        if let polledUntil, polledUntil <= now { collectDue(now) }
    }

    private mutating func addReady(_ identifier: UInt64, _ events: PollEvents) {
        if readyCount < ready.count {
            ready[readyCount] = (identifier, events)
        } else {
            ready.append((identifier, events))
        }
        readyCount += 1
    }

    private mutating func collectDue(_ now: MonotonicInstant) {
        let calls = scheduled
        while let identifier = deadlines.popDue(now, isCurrent: { calls[$0] != nil }) { addReady(identifier, []) }
        for index in sources.indices {
            guard let deadline = sources[index].deadline, deadline <= now else { continue }
            sources[index].deadline = nil
            addReady(sources[index].identifier, [])
        }
    }

    /// Passes the next work of this pass to the thread or, if there is none, how to wait. A handler may remove any
    /// other, so each is looked up only when it is due.
    ///
    /// - Parameter now: the time, or a little before.
    mutating func proceed(_ polling: inout Polling, _ now: MonotonicInstant) {
        while nextReadyIndex < readyCount {
            let (identifier, events) = ready[nextReadyIndex]
            nextReadyIndex += 1
            if let index = index(of: identifier) { return polling.next = .source(sources[index].handler, events) }
            if let body = scheduled.removeValue(forKey: identifier) { return polling.next = .call(body) }
        }
        guard !jobs.isEmpty else { return prepareToPoll(&polling, now) }
        swap(&jobs, &polling.jobs)
        polling.next = .jobs
    }
}
