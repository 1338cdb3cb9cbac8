#if DEBUG
    import Glibc
    import Synchronization

    /// A clock that stands while anything is in progress, and jumps to the earliest deadline when nothing is: for this
    /// package's own tests. Release builds don't have it.
    ///
    /// It is the clock of the whole process, if the environment says `COREBLUEZ_TEST_CLOCK=virtual`. All actors then
    /// share one loop, so that one thread knows whether anything is in progress.
    package final class VirtualClock: Sendable {
        /// What a loop without work does.
        package enum Decision {
            /// Looks again for work: some was added.
            case proceed
            /// Continues at the earliest deadline.
            case jump
            /// Waits for other threads and processes for this long; nil means no limit.
            case wait(Duration?)
        }

        /// The clock of this process; nil is the real one.
        package static let current: VirtualClock? = {
            guard let choice = unsafe getenv("COREBLUEZ_TEST_CLOCK"), unsafe String(cString: choice) == "virtual" else {
                return nil
            }
            return VirtualClock()
        }()

        /// The only loop. There is none if the clock is the real one, or the kernel refuses it.
        package static let loop = current == nil ? nil : try? EventLoop(name: "virtual time")

        /// The time now; nil if the clock is the real one.
        static var now: MonotonicInstant? {
            guard let current else { return nil }
            return MonotonicInstant(nanoseconds: current.nanoseconds.load(ordering: .relaxed))
        }

        /// Nanoseconds since some point in the past.
        private let nanoseconds = Atomic<Int64>(1_000_000_000_000)
        private let decider = Lock<Decider?>(nil)

        /// A closure alone would be wrapped once more each time that it is read from a generic lock.
        private struct Decider {
            let decide: @Sendable (_ deadline: MonotonicInstant?) -> Decision
        }

        /// Sets what decides when the loop has no work. It is called on the loop's thread, with the earliest deadline, if
        /// there is one. Without it, the clock stands.
        package func decide(_ decision: @escaping @Sendable (_ deadline: MonotonicInstant?) -> Decision) {
            decider.withLock { $0 = Decider(decide: decision) }
        }

        /// Decides how long a loop waits that has no work, in milliseconds, and jumps if that is the decision.
        func timeout(until deadline: MonotonicInstant?) -> CInt {
            switch decider.withLock({ $0 })?.decide(deadline) ?? .wait(nil) {
            case .proceed: return 0
            case .jump:
                if let deadline { nanoseconds.store(deadline.nanoseconds, ordering: .relaxed) }
                return 0
            case .wait(let limit):
                let start = MonotonicInstant(nanoseconds: 0)
                return PollTimeout.milliseconds(until: limit.map { start.advanced(by: $0) }, from: start)
            }
        }
    }
#endif

extension EventLoop {
    /// Returns a loop for an actor.
    ///
    /// - Throws: `DBusError` if a new loop is needed and cannot be created.
    package static func forActor(name: String, slowPass: SlowPass? = nil) throws(DBusError) -> EventLoop {
        #if DEBUG
            if let loop = VirtualClock.loop { return loop }
        #endif
        return try EventLoop(name: name, slowPass: slowPass)
    }
}
