import CoreBlueZ
import DBus
import Foundation
import Glibc

/// What both kinds of streams share: the descriptor, where the stream stands, and how its delegate hears of it.
///
/// Bytes are read and written by whoever calls the stream; the thread of `BluetoothActor` sees when that is possible, and a
/// timer of the run loop takes the news to the delegate on the run loop's own thread.
final class StreamCore: Sendable {
    private struct State {
        var descriptor: CInt
        var status = Stream.Status.notOpen
        var error: (any Error)?
        /// Used on their threads by `deliver` only, and to add timers, which any thread may.
        var loops: [(loop: RunLoop, mode: RunLoop.Mode, anchor: Timer)] = []
        var pending: [Stream.Event] = []
        weak var stream: Stream?
        weak var delegate: (any StreamDelegate)?
        var watch: DescriptorWatch?
    }

    private let state: Lock<State>
    private let direction: DescriptorWatch.Direction
    private let session: AccessorySessionKeeper?

    /// - Parameters:
    ///   - descriptor: a socket, which is the stream's from then on.
    ///   - session: what must live as long as the stream.
    init(_ descriptor: CInt, _ direction: DescriptorWatch.Direction, _ session: AccessorySessionKeeper?) {
        state = Lock(State(descriptor: descriptor))
        self.direction = direction
        self.session = session
    }

    deinit { close() }

    // MARK: The stream's properties

    var status: Stream.Status { state.withLock { $0.status } }
    var error: (any Error)? { state.withLock { $0.error } }
    /// The descriptor while bytes can pass.
    var openDescriptor: CInt? { state.withLock { $0.status == .open ? $0.descriptor : nil } }

    func adopt(_ stream: Stream) { state.withLock { $0.stream = stream } }

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
        arm()
    }

    func close() {
        let (descriptor, watch) = state.withLock { state in
            defer {
                state.descriptor = -1
                state.status = .closed
                for each in state.loops { each.anchor.invalidate() }
                state.watch = nil
                state.loops = []
                state.pending = []
            }
            return (state.descriptor, state.watch)
        }
        watch?.cancel()
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Nothing more can pass: at the end, or because of an error number.
    func end(_ number: CInt? = nil) {
        let isNew = state.withLock { state in
            guard state.status == .open else { return false }
            state.status = number == nil ? .atEnd : .error
            state.error = number.map(Self.error)
            return true
        }
        if isNew { post(number == nil ? .endEncountered : .errorOccurred) }
    }

    private static func error(_ number: CInt) -> any Error { NSError(domain: NSPOSIXErrorDomain, code: Int(number)) }

    // MARK: Readiness

    /// Waits until bytes can pass, and tells the delegate then, once.
    func arm() {
        guard let descriptor = openDescriptor else { return }
        let watch = DescriptorWatch(descriptor, direction) { [weak self] in self?.ready() }
        let old = state.withLock { state in
            defer { state.watch = state.status == .open ? watch : nil }
            return state.watch
        }
        old?.cancel()
        watch.begin()
    }

    private func ready() {
        guard let descriptor = openDescriptor else { return }
        switch direction {
        case .reading: SocketBytes.isAtEnd(descriptor) ? end() : post(.hasBytesAvailable)
        case .writing: SocketBytes.isHungUp(descriptor) ? end() : post(.hasSpaceAvailable)
        }
    }

    // MARK: Run loops

    func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {
        // Without anything to wait for, a run loop would not run.
        let anchor = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
        loop.add(anchor, forMode: mode)
        let pending = state.withLock { state in
            state.loops.append((loop, mode, anchor))
            defer { state.pending = [] }
            return state.pending
        }
        for event in pending { post(event) }
    }

    func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {
        state.withLock { state in
            for each in state.loops where each.loop === loop && each.mode == mode { each.anchor.invalidate() }
            state.loops.removeAll { $0.loop === loop && $0.mode == mode }
        }
    }

    /// A block of RunLoop's does not wake it from another thread; a timer does. Each loop gets one, in all of its modes.
    private func post(_ event: Stream.Event) {
        state.withLock { state in
            guard let first = state.loops.first?.loop else { return state.pending.append(event) }
            let timer = Timer(timeInterval: 0, repeats: false) { [weak self] _ in self?.deliver(event) }
            for (loop, mode, _) in state.loops where loop === first { loop.add(timer, forMode: mode) }
        }
    }

    private func deliver(_ event: Stream.Event) {
        let (stream, delegate) = state.withLock { ($0.stream, $0.status == .closed ? nil : $0.delegate) }
        if let stream { delegate?.stream(stream, handle: event) }
    }
}
