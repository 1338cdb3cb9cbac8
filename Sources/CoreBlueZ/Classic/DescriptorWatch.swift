import DBus

/// Waits, once, until a descriptor can be read or written, or its other end is gone; on the actor's thread. May be used from
/// any thread.
package final class DescriptorWatch: Sendable {
    /// What is waited for.
    package enum Direction: Sendable {
        case reading, writing
    }

    private let descriptor: CInt
    private let direction: Direction
    private let ready: @Sendable () -> Void
    private let token = Lock<EventLoop.Token?>(nil)

    /// - Parameters:
    ///   - descriptor: stays open until `cancel`, or until `ready` has been called.
    ///   - ready: called on the actor's thread.
    package init(_ descriptor: CInt, _ direction: Direction, ready: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.direction = direction
        self.ready = ready
    }

    deinit { cancel() }

    /// Begins to wait. What is there already counts.
    package func begin() {
        let added = BluetoothActor.loop.addSource(
            descriptor: descriptor, events: direction == .reading ? .readable : .writable
        ) { [weak self] _ in self?.turn() }
        let old = token.withLock { token in
            defer { token = added }
            return token
        }
        if let old { BluetoothActor.loop.removeSource(old) }
    }

    /// Stops waiting. On the actor's thread `ready` is no longer called; on another thread it may be running.
    package func cancel() {
        if let token = take() { BluetoothActor.loop.removeSource(token) }
    }

    private func turn() {
        // A hang-up would be reported again and again.
        guard let token = take() else { return }
        BluetoothActor.loop.removeSource(token)
        ready()
    }

    private func take() -> EventLoop.Token? {
        token.withLock { token in
            defer { token = nil }
            return token
        }
    }
}
