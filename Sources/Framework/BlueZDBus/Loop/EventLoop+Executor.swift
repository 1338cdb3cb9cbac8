extension EventLoop {
    /// Enqueues a job, on any thread. It runs on the loop's thread, in order.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustWake = state.withLock { state in
            state.add(job)
            return state.mustWake()
        }
        if mustWake { wake() }
    }

    /// Returns the loop as an actor's serial executor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Returns the loop as a task's preferred executor, so that an `await` on its actor needs no other thread.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        unsafe UnownedTaskExecutor(ordinary: self)
    }

    /// Returns whether the current thread is the loop's, and so isolated to its actor.
    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    /// Stops the program if the caller is not on the loop's thread.
    public func checkIsolated() {
        if isCurrent { return }
        guard let label = state.withLock({ $0.queueLabel }) else {
            preconditionFailure("This must run on the thread of the event loop \"\(name)\"")
        }
        preconditionFailure("This must run on the queue \"\(label)\", on which the event loop \"\(name)\" runs")
    }

    func run(_ jobs: [UnownedJob]) {
        for job in jobs {
            unsafe job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(),
                taskExecutor: asUnownedTaskExecutor()
            )
        }
    }
}
