extension EventLoop {
    /// A registration with an event loop: a watched descriptor or a deadline.
    public struct Token: Hashable, Sendable {
        let identifier: UInt64
    }

    /// Calls `handler` on the loop's thread each time the descriptor is ready, until `removeSource` is called.
    ///
    /// The caller owns the descriptor, which must outlive the registration. Hang-up and error are always reported. A
    /// descriptor of -1 is not polled. Such a source still has its deadline, and the passes that it requests.
    public func addSource(
        descriptor: CInt,
        events: PollEvents,
        handler: @escaping @Sendable (PollEvents) -> Void
    ) -> Token {
        change { state in Token(identifier: state.addSource(descriptor, events, handler)) }
    }

    /// Changes the descriptor and the events of a source.
    public func updateSource(_ token: Token, descriptor: CInt, events: PollEvents) {
        let mustWake = state.withLock { state in
            state.updateSource(token.identifier, descriptor, events) && state.mustWake()
        }
        if mustWake { wake() }
    }

    /// Calls the source's handler without events when the instant has passed. Nil removes the deadline.
    public func setDeadline(_ deadline: MonotonicInstant?, of token: Token) {
        let mustWake = state.withLock { state in
            state.setDeadline(deadline, of: token.identifier) && state.mustWake()
        }
        if mustWake { wake() }
    }

    /// Calls the source's handler soon, without events, even if its descriptor is not ready.
    public func requestPass(of token: Token) {
        change { $0.requestPass(of: token.identifier) }
    }

    /// Ends a registration. The handler is not called again. On another thread than the loop's, it may still be
    /// running.
    public func removeSource(_ token: Token) {
        let source = change { state in state.removeSource(token.identifier) }
        _ = source
    }

    /// Runs `body` on the loop's thread when the delay has passed, unless it is cancelled first.
    ///
    /// Calls without a delay run in the order in which they were scheduled, in the next pass.
    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Token {
        let instant = delay > .zero ? MonotonicInstant.now.advanced(by: delay) : nil
        return change { state in Token(identifier: state.schedule(at: instant, body)) }
    }

    /// Cancels a scheduled call. Does nothing if it has run or was cancelled before.
    public func cancelScheduled(_ token: Token) {
        let body = state.withLock { state in state.cancel(token.identifier) }
        _ = body
    }

    private func change<R>(_ body: (inout LoopState) -> R) -> R {
        let (result, mustWake) = state.withLock { state in (body(&state), state.mustWake()) }
        if mustWake { wake() }
        return result
    }
}
