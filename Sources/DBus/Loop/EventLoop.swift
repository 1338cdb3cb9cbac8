import CDBus
import Dispatch
import Glibc

/// One thread that waits in `poll()` and runs everything that happens: jobs of the actors whose executor it is,
/// handlers of watched file descriptors, and deadlines.
///
/// Measured, a thread that polls and delivers without a hop is the only arrangement that stays close to C: a
/// DispatchSource costs up to 2.6 times as much per message. While nothing happens, the thread never wakes. A loop
/// lives as long as the process.
public final class EventLoop: SerialExecutor, TaskExecutor {
    /// The name of the loop's thread, as `top -H` and debuggers show it. At most 15 characters reach the kernel.
    public let name: String

    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    let wakeDescriptor: CInt
    private let slowPass: SlowPass?
    let state = Lock(LoopState())

    /// What to do about a pass (everything that was due at a time) that took long, and how long that is.
    public struct SlowPass: Sendable {
        let nanoseconds: Int64
        let report: @Sendable (Duration) -> Void

        /// - Parameters:
        ///   - limit: how long a pass may take.
        ///   - report: gets the time of each pass that took longer, on the loop's thread.
        public init(over limit: Duration, report: @escaping @Sendable (Duration) -> Void) {
            nanoseconds = MonotonicInstant(nanoseconds: 0).advanced(by: limit).nanoseconds
            self.report = report
        }
    }

    /// Makes a loop and starts its thread. Signals are blocked there because they belong to the application's threads,
    /// except those by which the processor reports a fault, which a debugger or backtracer wants to see.
    ///
    /// - Throws: `DBusError` if the kernel has no descriptors or threads left.
    public init(name: String, slowPass: SlowPass? = nil) throws(DBusError) {
        self.name = name
        self.slowPass = slowPass
        wakeDescriptor = cdbus_eventfd()
        guard wakeDescriptor >= 0 else { throw .system("eventfd", errno) }
        try startThread()
    }

    /// Whether the caller runs on the loop's thread, or on the queue that stands for it.
    public var isCurrent: Bool {
        state.withLock { state in
            if state.queue != nil { return DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }
            guard let thread = state.thread else { return false }
            return pthread_equal(thread, pthread_self()) != 0
        }
    }

    /// Runs everything on a serial queue of its own that targets `queue`, instead of on the loop's thread, which then
    /// only waits. Costs a hop or two for each turn.
    ///
    /// - Returns: false, with nothing changed, if the loop has been used already.
    public func run(on queue: DispatchQueue) -> Bool {
        let own = DispatchQueue(label: name, target: queue)
        own.setSpecific(key: Self.key, value: ObjectIdentifier(self))
        return state.withLock { state in
            guard !state.isUsed else { return false }
            state.queue = own
            state.queueLabel = queue.label
            return true
        }
    }

    private func startThread() throws(DBusError) {
        var all = sigset_t()
        var previous = sigset_t()
        unsafe sigfillset(&all)
        for fault in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] { unsafe sigdelset(&all, fault) }
        unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        var thread = pthread_t()
        let loop = unsafe Unmanaged.passRetained(self)
        let code = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue().main()
                }
                return nil
            },
            loop.toOpaque()
        )
        guard code == 0 else {
            unsafe loop.release()
            close(wakeDescriptor)
            throw .system("pthread_create", code)
        }
        pthread_detach(thread)
    }

    /// Wakes the thread if it may be asleep. Called after the state was changed, without the lock.
    func wake() {
        eventfd_write(wakeDescriptor, 1)
    }

    private func main() {
        unsafe cdbus_name_thread(name)
        state.withLock { $0.thread = pthread_self() }
        var descriptors: [pollfd] = []
        var now = MonotonicInstant.now
        while true {
            let (hasWork, queue) = waitAndCollect(&descriptors, &now)
            guard hasWork else { continue }
            if let queue { now = queue.sync { runPass(from: .now) } } else { now = runPass(from: now) }
        }
    }

    /// - Parameters:
    ///   - descriptors: what was polled last, for its memory.
    ///   - now: the time before the wait, and then that after it.
    private func waitAndCollect(
        _ descriptors: inout [pollfd], _ now: inout MonotonicInstant
    ) -> (hasWork: Bool, queue: DispatchQueue?) {
        let timeout = state.withLock { state in
            state.prepareToPoll(wakeDescriptor: wakeDescriptor, &descriptors, now)
        }
        let count = unsafe poll(&descriptors, nfds_t(descriptors.count), timeout)
        if count > 0, descriptors[0].revents != 0 {
            var value: eventfd_t = 0
            unsafe eventfd_read(wakeDescriptor, &value)
        }
        now = MonotonicInstant.now
        return state.withLock { state in
            state.collectReady(count > 0 ? descriptors : nil, now)
            return (state.hasWork, state.queue)
        }
    }

    /// - Parameter start: when the pass begins. On a queue, that is when the queue has finished what was there before.
    /// - Returns: when it ended.
    private func runPass(from start: MonotonicInstant) -> MonotonicInstant {
        runReady()
        let end = MonotonicInstant.now
        if let slowPass, end.nanoseconds - start.nanoseconds > slowPass.nanoseconds { slowPass.report(end - start) }
        return end
    }

    /// Runs what is due and what was enqueued. On another queue this runs while the thread waits: nothing is polled
    /// until the turn is over.
    private func runReady() {
        while let due = state.withLock({ $0.nextReady() }) {
            switch due {
            case .source(let handler, let events): handler(events)
            case .call(let body): body()
            case .jobs(let jobs): return run(jobs)
            }
        }
    }
}
