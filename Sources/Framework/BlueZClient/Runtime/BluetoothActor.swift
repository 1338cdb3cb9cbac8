import BlueZDBus
import Dispatch

/// The actor that isolates all of CoreBlueZ. Its executor is the thread that waits for the bus. A message is read,
/// processed and delivered to a closure on that thread, without a hop.
///
/// Code that is isolated to it (managers, peripherals, services, characteristics, descriptors, all closures and all
/// overridable handlers) needs no `await` for the rest. Keep handlers short: while one runs, nothing else happens on
/// the actor. If closures, handlers and jobs keep the thread busy for more than 250 ms, CoreBlueZ logs a warning. The
/// time in which the thread waits for a processor doesn't count.
@globalActor public actor BluetoothActor {
    /// The only instance of the actor.
    public static let shared = BluetoothActor()

    /// The event loop. Creating it stops the program if there are no threads or descriptors left, because nothing could
    /// report that. It is the only place where the library stops the program.
    package static let loop: EventLoop = {
        do {
            return try EventLoop.forActor(
                name: "CoreBlueZ",
                slowPass: .init(over: .milliseconds(250)) { time in
                    log.warning(
                        "The Bluetooth thread was kept busy: nothing else was delivered meanwhile",
                        metadata: ["time": "\(time)"])
                })
        } catch {
            preconditionFailure("CoreBlueZ cannot start its thread: \(error)")
        }
    }()

    /// The executor, which runs jobs on the loop's thread. It is not retained, because it is static.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe Self.loop.asUnownedSerialExecutor()
    }

    /// Runs everything on the actor (closures, handlers, jobs) on a queue instead of the library's own thread, as
    /// CoreBluetooth does. The queue is `.main` or a serial queue of the application. Call this method before anything
    /// else in the program.
    ///
    /// The actor runs on a serial queue that targets the given one, so it alternates with the queue's other work. A
    /// closure may use state that belongs to the queue, and with `.main`, `MainActor.assumeIsolated` succeeds in it.
    /// The two actors remain separate: code on the main actor still uses `await` for this actor's state. A queue that
    /// is busy or blocked delays Bluetooth, including its deadlines, and every message costs one or more hops between
    /// threads.
    ///
    /// - Throws: `BluetoothError.Code.busy` if something has already run on the actor, such as the creation of a
    ///   manager. Nothing changes then.
    public nonisolated static func use(queue: DispatchQueue) throws(BluetoothError) {
        guard loop.run(on: queue) else {
            throw BluetoothError(
                .busy, "The Bluetooth thread is already in use; call BluetoothActor.use(queue:) before anything else")
        }
    }

    /// Runs `body` on the actor soon, after the code that runs there now. You can call it from anywhere. Programs that
    /// use closures need no async code to enter the actor.
    ///
    /// ```swift
    /// BluetoothActor.perform {
    ///     central.scanForPeripherals { peripheral, _, _ in … } completion: { error in … }
    /// }
    /// ```
    ///
    /// Bodies run in the order in which they were passed. To wait for a result in a task, use `run`.
    public nonisolated static func perform(_ body: @escaping @BluetoothActor () -> Void) {
        _ = after(.zero, body)
    }

    /// Runs `body` on the actor, with the actor's thread as the task's preferred executor. Without it, every `await`
    /// inside `body` travels through the global thread pool (measured: 21 microseconds instead of 1.3).
    ///
    /// It returns when `body` does, and does not wait for pending completions. Await something that ends after them,
    /// such as the scan. A manager that only `body` retains is released at the end, and its operations are cancelled.
    ///
    /// If you call it from the main actor, nothing uses the global thread pool. That matters to a program that waits,
    /// because a pool that has been used wakes a thread every second for as long as the process lives (src/queue.c:
    /// _dispatch_workq_monitor_pools).
    nonisolated(nonsending) public static func run<R: Sendable, Failure: Error>(
        _ body: @BluetoothActor () async throws(Failure) -> R
    ) async throws(Failure) -> R {
        let result: Result<R, Failure> = await withTaskExecutorPreference(loop) {
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Runs `body` immediately, if the caller is already on the actor's thread, which the compiler cannot know.
    /// Otherwise it stops the program with a message that names the thread or the queue. After `use(queue: .main)`,
    /// every block of the main queue qualifies, but not a program's top level before the queue runs; use `perform`
    /// there.
    ///
    /// The cast removes the isolation from the closure's type, which changes nothing at run time. The check above makes
    /// it valid. `MainActor.assumeIsolated` does the same. The standard library has it for no other actor.
    public nonisolated static func assumeIsolated<R>(_ body: @BluetoothActor () -> R) -> R {
        loop.checkIsolated()
        return withoutActuallyEscaping(body) { body in
            unsafe unsafeBitCast(body, to: (() -> R).self)()
        }
    }

    /// Waits until the time has passed, with the timer of the actor's own thread. `Task.sleep` would start
    /// libdispatch's threads, which costs a short program more time than all of its work, and wakes a long-running one
    /// (see `run`).
    ///
    /// - Throws: `BluetoothError.Code.cancelled` immediately if the task is cancelled.
    @BluetoothActor public static func sleep(for duration: Duration) async throws(BluetoothError) {
        let sleep = Sleep()
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleep.start($0, duration) }
        } onCancel: {
            perform { sleep.cancel() }
        }
        if sleep.isCancelled { throw BluetoothError(.cancelled, "The task that slept was cancelled") }
    }

    /// Runs `body` on the actor when the time has passed, unless the call is cancelled first.
    ///
    /// - Parameters:
    ///   - delay: how long to wait.
    ///   - body: what to do then.
    /// - Returns: the call, for `cancel()`.
    public nonisolated static func after(
        _ delay: Duration, _ body: @escaping @BluetoothActor () -> Void
    ) -> ScheduledCall {
        let body = unsafe unsafeBitCast(body, to: (@Sendable () -> Void).self)
        return ScheduledCall(
            token: loop.schedule(after: delay) {
                loop.checkIsolated()
                body()
            })
    }

    /// Turns `body` into a callback for a source of the loop. The cast of `assumeIsolated` is made only once.
    package nonisolated static func handler(
        _ body: @escaping @Sendable @BluetoothActor (PollEvents) -> Void
    ) -> @Sendable (PollEvents) -> Void {
        let body = unsafe unsafeBitCast(body, to: (@Sendable (PollEvents) -> Void).self)
        return { events in
            loop.checkIsolated()
            body(events)
        }
    }
}

/// A call that `BluetoothActor.after(_:_:)` has scheduled.
public struct ScheduledCall: Sendable {
    fileprivate let token: EventLoop.Token

    /// Cancels the call. Does nothing if it has already run.
    public func cancel() {
        BluetoothActor.loop.cancelScheduled(token)
    }
}
