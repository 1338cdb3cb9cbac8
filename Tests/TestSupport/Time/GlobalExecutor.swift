import BlueZDBus
import Glibc

/// The executor of all tasks that belong to no actor. Its jobs can be redirected to a loop, so that the loop knows of
/// everything that is in progress, and the order is the same in each run.
enum GlobalExecutor {
    // Swift's runtime calls this hook instead of its own function (swift_task_enqueueGlobal_hook in
    // include/swift/Runtime/Concurrency.h of Swift).
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    private static let target = Lock<EventLoop?>(nil)

    static func redirect(to loop: EventLoop) {
        target.withLock { $0 = loop }
        guard let symbol = unsafe dlsym(nil, "swift_task_enqueueGlobal_hook") else {
            preconditionFailure("This version of Swift has no hook for jobs")
        }
        let hook: Hook = { job, _ in GlobalExecutor.enqueue(job) }
        unsafe symbol.assumingMemoryBound(to: Optional<Hook>.self).pointee = hook
    }

    private static func enqueue(_ job: UnownedJob) {
        target.withLock { $0 }?.enqueue(job)
    }
}
