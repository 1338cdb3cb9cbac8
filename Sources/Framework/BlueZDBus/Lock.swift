import Glibc

/// A lock that protects a value with a pthread mutex, so that several threads can use it, one at a time.
///
/// `Synchronization.Mutex` is not used, because ThreadSanitizer does not detect its futex-based hand-over and reports
/// races that don't exist. No other type of the package claims to be Sendable without proof. Here the mutex makes it
/// true. The state may be of any type, including one that is not Sendable: code that puts references into it keeps them
/// on the thread to which they belong.
@safe public final class Lock<State>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Not stored in a property because of exclusivity checks (CONTRIBUTING, "Fast code"). The mutex already excludes
    /// overlapping accesses.
    @usableFromInline let state: UnsafeMutablePointer<State>

    /// Creates a lock with an initial state.
    public init(_ state: State) {
        unsafe self.state = .allocate(capacity: 1)
        unsafe self.state.initialize(to: state)
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Runs `body` with the state, while no other thread can use it. The lock is not recursive: `body` must not use it.
    @inlinable public func withLock<R, Failure: Error>(_ body: (inout State) throws(Failure) -> R) throws(Failure) -> R
    {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&state.pointee)
    }
}
