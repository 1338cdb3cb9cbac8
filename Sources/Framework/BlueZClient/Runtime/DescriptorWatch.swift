import BlueZDBus

/// Waits on the actor's thread until a descriptor can be read or written, or its other end is gone. It reports once for
/// each wait, because a hang-up would be reported again and again. You can use it on any thread.
public final class DescriptorWatch: Sendable {
    private struct State {
        var source: EventLoop.Token?
        /// The number of waits. An event that was seen before a wait must not end it.
        var number = 0
        var isCancelled = false
    }

    private let descriptor: CInt
    private let ready: @Sendable @BluetoothActor () -> Void
    private let state = Lock(State())

    /// Creates a watch, which does not wait yet.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor, which must stay open until `cancel`.
    ///   - ready: called on the actor's thread.
    public init(_ descriptor: CInt, ready: @escaping @Sendable @BluetoothActor () -> Void) {
        self.descriptor = descriptor
        self.ready = ready
    }

    /// Keeps the descriptor open as long as it is watched.
    package convenience init(
        _ descriptor: UnixFileDescriptor, ready: @escaping @Sendable @BluetoothActor () -> Void
    ) {
        self.init(descriptor.rawValue) { withExtendedLifetime(descriptor, ready) }
    }

    deinit { cancel() }

    /// Calls `ready` once, when bytes can be read or the other end is gone, instead of an earlier wait. If that is already
    /// true, it counts.
    public func waitToRead() { wait(for: .readable) }

    /// Calls `ready` once, when bytes can be written or the other end is gone, instead of an earlier wait. If that is
    /// already true, it counts.
    public func waitToWrite() { wait(for: .writable) }

    /// Waits for these events from now on, instead of earlier ones. If the descriptor is already ready, that counts. If
    /// the events are empty, it waits for nothing, not even a hang-up.
    package func wait(for events: PollEvents) {
        let last = state.withLock { state -> EventLoop.Token? in
            guard !state.isCancelled else { return nil }
            defer { state.source = events.isEmpty ? nil : add(events, &state) }
            return state.source
        }
        if let last { BluetoothActor.loop.removeSource(last) }
    }

    private func add(_ events: PollEvents, _ state: inout State) -> EventLoop.Token {
        state.number += 1
        let number = state.number
        let handler = BluetoothActor.handler { [weak self] _ in self?.handle(number) }
        return BluetoothActor.loop.addSource(descriptor: descriptor, events: events, handler: handler)
    }

    @BluetoothActor private func handle(_ number: Int) {
        let source = state.withLock { $0.number == number ? $0.source.take() : nil }
        guard let source else { return }
        BluetoothActor.loop.removeSource(source)
        ready()
    }

    /// Stops waiting permanently. If you call it on the actor's thread, `ready` is no longer called; otherwise it may
    /// be running.
    public func cancel() {
        let last = state.withLock { state in
            state.isCancelled = true
            return state.source.take()
        }
        if let last { BluetoothActor.loop.removeSource(last) }
    }
}
