import BlueZAccessories
import CoreBlueZ
import Foundation
import Glibc

/// The common part of both kinds of streams: the descriptor, the state, and the calls of the delegate.
///
/// The stream's caller reads and writes bytes. The thread of `BluetoothActor` detects when that is possible, and a
/// timer of the run loop calls the delegate on the run loop's own thread.
final class StreamCore: Sendable {
    /// The direction in which bytes pass.
    enum Direction {
        case input, output
    }

    private struct State {
        var descriptor: CInt
        var status = Stream.Status.notOpen
        var error: (any Error)?
        /// The run loops. Each calls `deliver` on its own thread. Its timer may be changed on any thread.
        var loops: [(loop: RunLoop, mode: RunLoop.Mode, timer: Timer)] = []
        /// The events to report to the delegate, each once.
        var news: [Stream.Event] = []
        weak var stream: Stream?
        weak var delegate: (any StreamDelegate)?
        var watch: DescriptorWatch?
    }

    private let state: Lock<State>
    private let direction: Direction
    private let session: RetainedSession?

    /// - Parameters:
    ///   - descriptor: the descriptor of a socket, which the stream takes over.
    ///   - session: the session, which is retained for as long as the stream.
    init(_ descriptor: CInt, _ direction: Direction, _ session: RetainedSession?) {
        state = Lock(State(descriptor: descriptor))
        self.direction = direction
        self.session = session
    }

    deinit { close() }

    // MARK: The stream's properties

    var status: Stream.Status { state.withLock { $0.status } }
    var error: (any Error)? { state.withLock { $0.error } }
    /// The descriptor, or nil if bytes can no longer be read or written.
    var openDescriptor: CInt? { state.withLock { $0.status == .open ? $0.descriptor : nil } }

    func attach(_ stream: Stream) {
        state.withLock { $0.stream = stream }
        guard direction == .output, let session = session?.session else { return }
        // The input ends after the last byte, as its descriptor does.
        BluetoothActor.perform { [weak self] in
            session.observeEnd { self?.end() }
        }
    }

    var delegate: (any StreamDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Opening and closing

    func open() {
        let isNew = state.withLock { state in
            guard state.status == .notOpen else { return false }
            state.status = state.descriptor >= 0 ? .open : .error
            if state.descriptor < 0 { state.error = Self.error(EBADF) }
            return true
        }
        guard isNew else { return }
        guard status == .open else { return post(.errorOccurred) }
        post(.openCompleted)
        if direction == .output, session?.session.ending != nil { end() } else { arm() }
    }

    func close() {
        let (descriptor, watch) = state.withLock { state in
            defer {
                state.descriptor = -1
                state.status = .closed
                for each in state.loops { each.timer.invalidate() }
                state.watch = nil
                state.loops = []
                state.news = []
            }
            return (state.descriptor, state.watch)
        }
        watch?.cancel()
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Ends the stream because the session has ended. That is an error, unless the accessory is gone or the session was
    /// closed.
    func end() {
        if case .error(let error) = session?.session.ending { fail(error) } else { fail(nil) }
    }

    /// Ends the stream.
    ///
    /// - Parameter error: nil after a regular end.
    func fail(_ error: (any Error)?) {
        let isNew = state.withLock { state in
            guard state.status == .open else { return false }
            state.status = error == nil ? .atEnd : .error
            state.error = error
            return true
        }
        if isNew { post(error == nil ? .endEncountered : .errorOccurred) }
    }

    static func error(_ number: CInt) -> any Error { NSError(domain: NSPOSIXErrorDomain, code: Int(number)) }

    // MARK: Readiness

    /// Waits until bytes can pass, and then notifies the delegate, once.
    func arm() {
        let watch = state.withLock { state -> DescriptorWatch? in
            guard state.status == .open else { return nil }
            if state.watch == nil {
                state.watch = DescriptorWatch(state.descriptor) { [weak self] in self?.ready() }
            }
            return state.watch
        }
        if direction == .input { watch?.waitToRead() } else { watch?.waitToWrite() }
    }

    private func ready() {
        guard let descriptor = openDescriptor else { return }
        if direction == .input {
            SocketBytes.isAtEnd(descriptor) ? end() : post(.hasBytesAvailable)
        } else {
            SocketBytes.isHungUp(descriptor) ? end() : post(.hasSpaceAvailable)
        }
    }

    // MARK: Run loops

    func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {
        // The timer stays until the end, because a run loop without timers and sources returns immediately, and
        // Foundation never frees a timer.
        let timer = Timer(fire: .distantFuture, interval: Self.never, repeats: true) { [weak self] _ in
            self?.deliver()
        }
        loop.add(timer, forMode: mode)
        state.withLock { state in
            state.loops.append((loop, mode, timer))
            Self.announce(state)
        }
    }

    func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {
        state.withLock { state in
            for each in state.loops where each.loop === loop && each.mode == mode { each.timer.invalidate() }
            state.loops.removeAll { $0.loop === loop && $0.mode == mode }
            Self.announce(state)
        }
    }

    private func post(_ event: Stream.Event) {
        state.withLock { state in
            guard state.status != .closed, !state.news.contains(event) else { return }
            state.news.append(event)
            Self.announce(state)
        }
    }

    /// A year, in seconds.
    private static let never = 31_536_000.0

    /// Makes the first loop deliver the events, in whichever of its modes it runs. `RunLoop.perform` does not wake a
    /// loop from another thread, but a timer does.
    private static func announce(_ state: State) {
        guard let first = state.loops.first?.loop, !state.news.isEmpty else { return }
        for each in state.loops where each.loop === first { each.timer.fireDate = Date() }
    }

    private func deliver() {
        // Events that are posted in the meantime are delivered in the loop's next pass.
        for _ in 0..<state.withLock({ $0.news.count }) {
            guard let event = state.withLock({ $0.news.isEmpty ? nil : $0.news.removeFirst() }) else { return }
            deliver(event)
        }
    }

    private func deliver(_ event: Stream.Event) {
        let (stream, delegate) = state.withLock { state in
            (state.stream, state.status == .closed ? nil : state.delegate)
        }
        // The bytes or the space may be used up. The code that used them has called `arm` since then.
        switch event {
        case .hasBytesAvailable where openDescriptor.map(SocketBytes.isReadable) != true: return
        case .hasSpaceAvailable where openDescriptor.map(SocketBytes.isWritable) != true: return
        default: if let stream { delegate?.stream(stream, handle: event) }
        }
    }
}
