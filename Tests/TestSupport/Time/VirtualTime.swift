import BlueZDBus
import BlueZSimulator
import Foundation

/// The time of tests that run on a virtual clock, which stands while anything is in progress. It belongs to the
/// process: `COREBLUEZ_TEST_CLOCK=virtual` chooses it, before any test. Such a process runs one test at a time.
public enum VirtualTime {
    /// Whether the process has a virtual clock.
    public static var isOn: Bool { loop != nil }

    /// Whether tests that can have a virtual clock run in another process: `COREBLUEZ_TEST_CLOCK=real`.
    static var isElsewhere: Bool { ProcessInfo.processInfo.environment["COREBLUEZ_TEST_CLOCK"] == "real" }

    /// The only loop.
    static let loop: EventLoop? = {
        #if DEBUG
            guard let clock = VirtualClock.current, let loop = VirtualClock.loop else { return nil }
            clock.decide { deadline in decide(deadline) }
            GlobalExecutor.redirect(to: loop)
            return loop
        #else
            return nil
        #endif
    }()

    @safe private struct State {
        /// Who looks whether a condition holds, when nothing is in progress.
        var waiters: [CheckedContinuation<Bool, Never>] = []
        /// How often they have looked since the clock jumped. What they do may make other conditions true.
        var looks = 0
        /// How often the clock has jumped since the last wait began.
        var jumps = 0
        /// When the last wait began.
        var began = MonotonicInstant.now
        /// Since when, on the real clock, nothing but other threads can do anything.
        var stuckSince: ContinuousClock.Instant?
        /// The running test.
        var test: UnsafeCurrentTask?
        /// What was still going on when the running test was given up.
        var reason: String?
    }

    private static let state = Lock(State())
    private static let longest = Duration.seconds(3600)
    private static let mostJumps = 100_000
    private static let mostLooks = 3
    /// How long other threads may take, on the real clock, until a condition holds.
    private static let patience = Duration.seconds(20)
    /// How long another process may take, such as that of an exit test.
    private static let processPatience = Duration.seconds(120)

    /// Waits until nothing is in progress.
    ///
    /// - Returns: false if a condition would be waited for in vain.
    static func look(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        await withCheckedContinuation { continuation in state.withLock { $0.waiters.append(continuation) } }
    }

    /// A wait begins or ends: the limits count from here.
    static func restart() { state.withLock { restart(&$0) } }

    private static func restart(_ state: inout State) {
        state.jumps = 0
        state.looks = 0
        state.began = .now
        state.stuckSince = nil
    }

    /// A test begins in the current task. If nothing can happen any more before it has ended, the task is cancelled.
    static func begin() {
        unsafe withUnsafeCurrentTask { task in
            state.withLock { state in
                restart(&state)
                unsafe state.test = unsafe task
                state.reason = nil
            }
        }
    }

    /// The test has ended.
    ///
    /// - Returns: what was still going on if the test was given up; nil if it was not.
    static func end() -> String? {
        state.withLock { state in
            unsafe state.test = nil
            return state.reason
        }
    }

    /// What is still going on, for messages. On the loop's thread.
    static var pending: String {
        var calls: [String] = []
        SimulatorActor.assumeIsolated { calls = TestBus.pendingCalls }
        return calls.isEmpty ? "Each call has its reply." : "Without a reply: \(calls.joined(separator: ", "))."
    }

    #if DEBUG
        private static func decide(_ deadline: MonotonicInstant?) -> VirtualClock.Decision {
            let (decision, waiters, mayLook) = state.withLock { state in decide(deadline, &state) }
            for waiter in waiters { waiter.resume(returning: mayLook) }
            return decision
        }

        private static func decide(
            _ deadline: MonotonicInstant?, _ state: inout State
        ) -> (VirtualClock.Decision, [CheckedContinuation<Bool, Never>], mayLook: Bool) {
            if !state.waiters.isEmpty, state.looks < mostLooks {
                state.looks += 1
                return (.proceed, take(&state), true)
            }
            let isRunning = unsafe state.test != nil
            let isWithinLimits = state.jumps < mostJumps && state.began.advanced(by: longest) >= deadline ?? .now
            if deadline != nil, !isRunning || isWithinLimits {
                state.jumps += 1
                state.looks = 0
                state.stuckSince = nil
                return (.jump, [], true)
            }
            guard isRunning else { return (.wait(nil), [], true) }
            // A condition can wait for the clock alone; a test without one waits for a completion or another process.
            if deadline == nil || state.waiters.isEmpty {
                let since = state.stuckSince ?? .now
                let left = (state.waiters.isEmpty ? processPatience : patience) - since.duration(to: .now)
                guard left <= .zero else {
                    state.stuckSince = since
                    state.looks = 0
                    return (.wait(left), [], true)
                }
            }
            if !state.waiters.isEmpty { return (.proceed, take(&state), false) }
            state.reason = pending
            unsafe state.test?.cancel()
            unsafe state.test = nil
            return (.proceed, [], false)
        }

        private static func take(_ state: inout State) -> [CheckedContinuation<Bool, Never>] {
            defer { state.waiters = [] }
            return state.waiters
        }
    #endif
}
