import Glibc

/// A value that several threads can use, one at a time, guarded by a pthread mutex.
///
/// `Synchronization.Mutex` is not used: ThreadSanitizer does not see its futex-based hand-over and reports races that
/// don't exist. No other type of the package claims to be Sendable without proof; here the mutex makes it true. The
/// state may be of any type, including one that is not Sendable: code that puts references into it keeps them on the
/// thread they belong to.
@safe public final class Lock<State>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Not a property because of exclusivity checks (CONTRIBUTING, "Fast code"): the mutex already excludes overlapping
    /// accesses.
    @usableFromInline let state: UnsafeMutablePointer<State>

    /// Makes a lock around an initial state.
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

    /// Runs `body` with the state while no other thread has it. Not recursive: `body` must not use the same lock.
    @inlinable public func withLock<R, Failure: Error>(_ body: (inout State) throws(Failure) -> R) throws(Failure) -> R
    {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&state.pointee)
    }
}
