import CBlueZDBus
import Dispatch
import Glibc

/// A thread that waits in `poll()`, and runs all jobs of the actors whose executor it is, all handlers of watched file
/// descriptors, and all deadlines.
///
/// Measurements show that only a thread that polls and delivers without a hop is nearly as fast as C. A DispatchSource
/// costs up to 2.6 times as much per message. While nothing happens, the thread never wakes. A loop is never released.
public final class EventLoop: SerialExecutor, TaskExecutor {
    /// The name of the loop's thread, as `top -H` and debuggers show it. At most 15 characters reach the kernel.
    public let name: String

    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    let wakeDescriptor: CInt
    /// A key for which only the loop's own thread has a value, which identifies the thread without a lock.
    private let mark: pthread_key_t
    private let slowPass: SlowPass?
    #if DEBUG
        private let clock = VirtualClock.current
    #endif
    let state = Lock(LoopState())

    /// A report of passes that took long. A pass runs everything that was due at one time.
    public struct SlowPass: Sendable {
        let nanoseconds: Int64
        let report: @Sendable (Duration) -> Void

        /// - Parameters:
        ///   - limit: how long a pass may take. The time in which the thread waited for a processor doesn't count,
        ///     because it shows that the machine is busy, not that a handler is slow.
        ///   - report: called with the time of each slow pass, without that wait, on the loop's thread.
        public init(over limit: Duration, report: @escaping @Sendable (Duration) -> Void) {
            nanoseconds = MonotonicInstant(nanoseconds: 0).advanced(by: limit).nanoseconds
            self.report = report
        }
    }

    /// Creates a loop, and starts its thread. Signals are blocked there because they belong to the application's
    /// threads, except those that report a processor fault, which debuggers and backtracers need.
    ///
    /// - Throws: `DBusError` if the kernel has no descriptors or threads left, or the process no keys.
    public init(name: String, slowPass: SlowPass? = nil) throws(DBusError) {
        self.name = name
        self.slowPass = slowPass
        var mark = pthread_key_t()
        let code = unsafe pthread_key_create(&mark, nil)
        guard code == 0 else { throw .system("pthread_key_create", code) }
        self.mark = mark
        wakeDescriptor = cdbus_eventfd()
        guard wakeDescriptor >= 0 else {
            let code = errno
            pthread_key_delete(mark)
            throw .system("eventfd", code)
        }
        try startThread()
    }

    /// Whether the caller runs on the loop's thread, or on the queue that replaces it.
    public var isCurrent: Bool {
        // Code on the thread itself always belongs to the loop. With a queue, the thread only waits.
        if unsafe pthread_getspecific(mark) != nil { return true }
        return state.withLock { state in
            state.queue != nil && DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
        }
    }

    /// Runs everything on a serial queue that targets `queue`, instead of on the loop's thread, which then only waits.
    /// This costs one or two hops per pass.
    ///
    /// - Returns: false, and changes nothing, if the loop has already been used.
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
            pthread_key_delete(mark)
            throw .system("pthread_create", code)
        }
        pthread_detach(thread)
    }

    /// Wakes the thread if it may be waiting. Called after the state was changed, without the lock.
    func wake() {
        eventfd_write(wakeDescriptor, 1)
    }

    private func main() {
        unsafe cdbus_name_thread(name)
        unsafe pthread_setspecific(mark, Unmanaged.passUnretained(self).toOpaque())
        var polling = Polling(wakeDescriptor)
        state.withLock { $0.prepareToPoll(&polling, .now) }
        while true {
            wait(&polling)
            guard polling.next != nil else { continue }
            if let queue = polling.queue {
                queue.sync { runPass(from: .now, &polling) }
            } else {
                runPass(from: polling.end, &polling)
            }
        }
    }

    /// Waits until something is due.
    private func wait(_ polling: inout Polling) {
        #if DEBUG
            if let clock, polling.timeout != 0 { setTimeout(clock, &polling) }
        #endif
        let count = unsafe poll(&polling.descriptors, nfds_t(polling.descriptors.count), polling.timeout)
        if count > 0, polling.descriptors[0].revents != 0 {
            var value: eventfd_t = 0
            unsafe eventfd_read(wakeDescriptor, &value)
        }
        let end = MonotonicInstant.now
        polling.end = end
        state.withLock { state in
            if state.queue != nil { polling.queue = state.queue }
            state.collectReady(count > 0 ? polling.descriptors : nil, end)
            state.proceed(&polling, end)
        }
    }

    #if DEBUG
        /// Sets how long a loop with a virtual clock waits. No job and no deadline is due.
        private func setTimeout(_ clock: VirtualClock, _ polling: inout Polling) {
            let isReady = unsafe poll(&polling.descriptors, nfds_t(polling.descriptors.count), 0) > 0
            polling.timeout = isReady ? 0 : clock.timeout(until: state.withLock { $0.polledUntil })
        }
    #endif

    /// Runs everything that is due or enqueued, and prepares the next wait. On another queue, this runs while the
    /// thread waits, and nothing is polled until the pass is over.
    ///
    /// - Parameter start: the beginning of the pass. On a queue, that is the time at which the queue has finished its
    ///   earlier work.
    private func runPass(from start: MonotonicInstant, _ polling: inout Polling) {
        if slowPass != nil { polling.delay.begin(at: start) }
        var end = start
        while let due = polling.next.take() {
            var isLast = false
            switch consume due {
            case .source(let handler, let events): handler(events)
            case .call(let body): body()
            case .jobs:
                run(polling.jobs)
                polling.jobs.removeAll(keepingCapacity: true)
                isLast = true
            }
            end = .now
            // The lock is taken once to find out whether there is more work and, if not, how long to wait.
            state.withLock { state in
                if isLast { state.prepareToPoll(&polling, end) } else { state.proceed(&polling, end) }
            }
        }
        let time = end.nanoseconds - start.nanoseconds
        guard let slowPass, time > slowPass.nanoseconds else { return }
        let own = time - polling.delay.end()
        if own > slowPass.nanoseconds { slowPass.report(.nanoseconds(own)) }
    }
}

/// The thread's arguments for `poll()`, and the work it takes from the state.
struct Polling: ~Copyable {
    /// The descriptors to poll: first the one that wakes the thread.
    var descriptors: [pollfd] = []
    /// The timeout in milliseconds; -1 means no limit.
    var timeout: CInt = 0
    /// The time at which `poll()` returned.
    var end = MonotonicInstant.now
    /// The work to run next.
    var next: LoopState.Due?
    /// The running jobs.
    var jobs: [UnownedJob] = []
    /// The queue that runs everything, instead of the thread.
    var queue: DispatchQueue?
    /// The time for which the running work had to wait for a processor.
    var delay = SchedulerDelay()
    let wakeDescriptor: CInt

    init(_ wakeDescriptor: CInt) {
        self.wakeDescriptor = wakeDescriptor
    }
}
