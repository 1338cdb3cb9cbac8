extension EventLoop {
    /// A registration with an event loop: a watched descriptor or a deadline.
    public struct Token: Hashable, Sendable {
        let identifier: UInt64
    }

    /// Calls `handler` on the loop's thread whenever the descriptor is ready, until `removeSource` is called.
    ///
    /// The caller keeps ownership of the descriptor, which must outlive the registration. Hang-up and error are always
    /// reported. A descriptor of -1 is not polled; such a source still has its deadline and its turns.
    public func addSource(
        descriptor: CInt,
        events: PollEvents,
        handler: @escaping @Sendable (PollEvents) -> Void
    ) -> Token {
        change { state in
            let identifier = state.makeIdentifier()
            state.sources[identifier] = LoopState.Source(descriptor: descriptor, events: events, handler: handler)
            return Token(identifier: identifier)
        }
    }

    /// Changes what a source waits for.
    public func updateSource(_ token: Token, descriptor: CInt, events: PollEvents) {
        let isUnchanged = state.withLock { state in
            guard let source = state.sources[token.identifier] else { return true }
            return source.descriptor == descriptor && source.events == events
        }
        if isUnchanged { return }
        change { state in
            state.sources[token.identifier]?.descriptor = descriptor
            state.sources[token.identifier]?.events = events
        }
    }

    /// Calls the source's handler with no events once the instant has passed; nil removes the deadline.
    public func setDeadline(_ deadline: SuspendingClock.Instant?, of token: Token) {
        let mustWake = state.withLock { state in
            guard state.sources[token.identifier] != nil else { return false }
            let earliest = state.deadlines.earliest
            state.deadlines.set(deadline, for: token.identifier)
            guard let deadline, deadline < (earliest ?? deadline.advanced(by: .seconds(1))) else { return false }
            return state.mustWake()
        }
        if mustWake { wake() }
    }

    /// Calls the source's handler soon, with no events, whether or not its descriptor is ready.
    public func requestTurn(of token: Token) {
        change { $0.requestTurn(of: token.identifier) }
    }

    /// Ends a registration: the handler is not called again, but if this is not the loop's thread it may still be
    /// running.
    public func removeSource(_ token: Token) {
        let source = change { state in
            state.deadlines.set(nil, for: token.identifier)
            return state.sources.removeValue(forKey: token.identifier)
        }
        _ = source
    }

    /// Runs `body` on the loop's thread when the delay has passed, unless it is cancelled first.
    ///
    /// Calls without a delay run in the order in which they were scheduled, in the next pass.
    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Token {
        let instant = delay > .zero ? SuspendingClock().instant(after: delay) : nil
        return change { state in
            let identifier = state.makeIdentifier()
            state.schedule(identifier, at: instant, body)
            return Token(identifier: identifier)
        }
    }

    /// Cancels a scheduled call. Does nothing if it has run or was cancelled before.
    public func cancelScheduled(_ token: Token) {
        let body = state.withLock { state in
            guard let body = state.scheduled.removeValue(forKey: token.identifier) else { return Body?.none }
            state.deadlines.set(nil, for: token.identifier)
            return body
        }
        _ = body
    }

    private typealias Body = @Sendable () -> Void

    private func change<R>(_ body: (inout LoopState) -> R) -> R {
        let (result, mustWake) = state.withLock { state in (body(&state), state.mustWake()) }
        if mustWake { wake() }
        return result
    }
}
