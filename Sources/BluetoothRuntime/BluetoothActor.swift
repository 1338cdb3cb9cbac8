import DBus
import Dispatch

/// The actor that isolates all of CoreBlueZ. Its executor is the thread that waits for the bus: a message is read,
/// processed and delivered to a closure on that thread, without a hop.
///
/// Everything isolated to it (the five containers, all closures, all overridable handlers) can use the others without
/// `await`. Keep handlers short: while one runs, nothing else happens on the actor. If closures, handlers and jobs keep
/// the thread busy for more than 250 ms, CoreBlueZ logs a warning. The time in which the thread waits for a processor
/// doesn't count.
@globalActor public actor BluetoothActor {
    /// The actor.
    public static let shared = BluetoothActor()

    /// Without threads or descriptors there is no Bluetooth and nobody to report it to: the only place where the
    /// library stops the program.
    package static let loop: EventLoop = {
        do {
            return try EventLoop(
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

    /// Jobs run on the loop's thread. Unsafe because the executor is not retained: it is static and never goes away.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe Self.loop.asUnownedSerialExecutor()
    }

    /// Runs everything on the actor (closures, handlers, jobs) on a queue instead of the library's own thread, as
    /// CoreBluetooth does: `.main`, or a serial queue of the application. Call it first in the program.
    ///
    /// The actor runs on a serial queue that targets the given one, so it alternates with everything there: a closure
    /// may use state that belongs to the queue, and with `.main` `MainActor.assumeIsolated` holds in it. It does not
    /// make the two actors one: code on the main actor still uses `await` for this actor's state. A queue that is busy
    /// or blocked holds up Bluetooth, deadlines included, and every message costs one or more hops between threads.
    ///
    /// - Throws: `BluetoothError.Code.busy` if something has already run on the actor, such as the creation of a
    ///   manager; then nothing changes.
    public nonisolated static func use(queue: DispatchQueue) throws(BluetoothError) {
        guard loop.run(on: queue) else {
            throw BluetoothError(
                .busy, "The Bluetooth thread is already in use; call BluetoothActor.use(queue:) before anything else")
        }
    }

    /// Runs `body` on the actor soon, after the code that runs there now. It can be called from anywhere: programs that
    /// use closures need no async code to enter the actor.
    ///
    /// ```swift
    /// BluetoothActor.perform {
    ///     central.scanForPeripherals { peripheral, _, _ in … } completion: { error in … }
    /// }
    /// ```
    ///
    /// Bodies run in the order in which they were passed. Use `run` from a task to wait for the result.
    public nonisolated static func perform(_ body: @escaping @BluetoothActor () -> Void) {
        later(body)
    }

    /// Runs `body` on the actor, with the actor's thread as the task's preferred executor. Without it, every `await`
    /// inside `body` travels through the global thread pool (measured: 21 microseconds instead of 1.3).
    ///
    /// It returns when `body` does, and does not wait for pending completions: await something that ends after them,
    /// such as the scan. A manager that only `body` holds is gone then, and its operations are cancelled.
    ///
    /// If it is called from the main actor, nothing touches the global thread pool. That matters to a program that
    /// waits: once used, libdispatch's pool wakes a thread every second as long as the process lives (src/queue.c:
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

    /// Runs `body` at once: the caller is already on the actor's thread, which the compiler cannot know. Otherwise it
    /// stops the program, naming the thread or the queue. After `use(queue: .main)` every block of the main queue
    /// qualifies, but not a program's top level before the queue runs: use `perform` there.
    ///
    /// The cast removes the isolation from the closure's type, which changes nothing at run time; the check above makes
    /// it valid. `MainActor.assumeIsolated` does the same; the standard library offers it for no other actor.
    public nonisolated static func assumeIsolated<R>(_ body: @BluetoothActor () -> R) -> R {
        loop.checkIsolated()
        return withoutActuallyEscaping(body) { body in
            unsafe unsafeBitCast(body, to: (() -> R).self)()
        }
    }

    /// Waits until the time has passed, on the timer of the actor's own thread. `Task.sleep` starts libdispatch's
    /// threads, which costs a short program more time than all of its work, and wakes a long-running one (see `run`).
    ///
    /// - Throws: `BluetoothError.Code.cancelled`, at once, if the task is cancelled first.
    @BluetoothActor public static func sleep(for duration: Duration) async throws(BluetoothError) {
        let sleep = Sleep()
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleep.start($0, duration) }
        } onCancel: {
            later { sleep.cancel() }
        }
        if sleep.isCancelled { throw BluetoothError(.cancelled, "The task that slept was cancelled") }
    }

    /// Runs `body` on the actor soon, after the code that runs now.
    package nonisolated static func later(_ body: @escaping @BluetoothActor () -> Void) {
        _ = after(.zero, body)
    }

    /// Runs `body` on the actor when the time has passed, unless the call is cancelled first.
    package nonisolated static func after(
        _ delay: Duration, _ body: @escaping @BluetoothActor () -> Void
    ) -> ScheduledCall {
        let body = unsafe unsafeBitCast(body, to: (@Sendable () -> Void).self)
        return ScheduledCall(
            token: loop.schedule(after: delay) {
                loop.checkIsolated()
                body()
            })
    }

    /// Makes `body` a callback for a source of the loop. The cast of `assumeIsolated` is made only once.
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

/// A scheduled call on the actor.
package struct ScheduledCall: Sendable {
    fileprivate let token: EventLoop.Token

    /// Cancels the call. Does nothing once it has run.
    package func cancel() {
        BluetoothActor.loop.cancelScheduled(token)
    }
}
