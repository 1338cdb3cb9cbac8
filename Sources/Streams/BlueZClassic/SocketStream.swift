import BlueZDBus
import CoreBlueZ
import DequeModule
import FoundationEssentials

/// A stream of bytes through a socket, on the actor's thread. Without a handler, nothing is read, so the other end has
/// to wait.
@BluetoothActor public final class SocketStream {
    /// Called with the bytes, in order. While it is nil, they stay in the socket.
    public var receiveHandler: (@BluetoothActor (Data) -> Void)? {
        didSet {
            changes += 1
            if isWatched { update() } else { readRestSoon() }
        }
    }
    /// Called once when no more bytes can arrive and all have been taken, or soon if that is already true.
    public var endHandler: (@BluetoothActor () -> Void)? { didSet { reportEndSoon() } }
    /// Called once when the other end has closed. There may be bytes that have not been taken.
    public var hangUpHandler: (@BluetoothActor () -> Void)?
    /// The number of times that `receiveHandler` was set.
    private(set) var changes = 0
    /// The number of bytes that wait to be sent.
    private(set) var waiting = 0
    /// Whether neither end has closed the stream.
    public private(set) var isOpen = true
    /// Whether no more bytes can arrive and all have been taken.
    public var isDrained: Bool { hasEnded }

    private struct Piece {
        var bytes: ArraySlice<UInt8>
        let completion: @BluetoothActor (Bool) -> Void
    }

    private let socket: StreamSocket
    private var token: EventLoop.Token?
    private var output: Deque<Piece> = []
    private var endsWhenSent = false
    /// Whether only the bytes in the socket can still arrive.
    private var isHungUp = false
    private var hasEnded = false
    private var isReading = false

    private static let pieceLength = 1 << 16

    init(_ socket: StreamSocket) {
        self.socket = socket
        let descriptor = socket.descriptor.rawValue
        token = BluetoothActor.loop.addSource(descriptor: descriptor, events: []) { [weak self] events in
            BluetoothActor.assumeIsolated { self?.handle(events) }
        }
    }

    /// Creates a pair of sockets. The caller owns the descriptor of the second one, and closes it.
    public static func pair() throws(BluetoothError) -> (stream: SocketStream, descriptor: CInt) {
        do throws(DBusError) {
            let (ours, theirs) = try StreamSocket.pair()
            return (SocketStream(ours), try theirs.descriptor.duplicate())
        } catch {
            throw BluetoothError(error, in: .other, "Making a pair of sockets")
        }
    }

    isolated deinit {
        stopWatching()
        socket.shutDown()
        dropOutput()
    }

    /// Sends bytes after those of earlier calls. The completion is called later, and gets whether the kernel has all of
    /// them.
    public func send(_ bytes: Data, completion: @escaping @BluetoothActor (Bool) -> Void) {
        guard isOpen, !endsWhenSent else { return BluetoothActor.perform { completion(false) } }
        output.append(Piece(bytes: [UInt8](bytes)[...], completion: completion))
        waiting += bytes.count
        BluetoothActor.perform { [weak self] in self?.pump() }
    }

    /// Ends sending after the waiting bytes. The other end then sees the end of the stream.
    public func endSending() {
        endsWhenSent = true
        BluetoothActor.perform { [weak self] in self?.pump() }
    }

    /// Stops receiving. The other end can no longer send.
    public func endReceiving() {
        receiveHandler = nil
        socket.shutDownReceiving()
    }

    /// Ends the stream, because the carrier of the bytes is gone, when the bytes in the socket have been taken.
    func hangUp() {
        guard isOpen else { return }
        isOpen = false
        isHungUp = true
        stopWatching()
        dropOutput()
        readRestSoon()
        reportHangUp()
    }

    private func reportHangUp() {
        hangUpHandler.take()?()
    }

    /// Closes the stream. Handlers are no longer called, and waiting bytes are not sent.
    public func close() {
        isOpen = false
        hasEnded = true
        receiveHandler = nil
        endHandler = nil
        hangUpHandler = nil
        stopWatching()
        socket.shutDown()
        dropOutput()
    }

    // MARK: Watching

    private var isWatched: Bool { token != nil }

    private func update() {
        guard let token else { return }
        var events: PollEvents = []
        if receiveHandler != nil, !isHungUp { events.insert(.readable) }
        if !output.isEmpty { events.insert(.writable) }
        BluetoothActor.loop.updateSource(token, descriptor: socket.descriptor.rawValue, events: events)
    }

    private func stopWatching() {
        if let token { BluetoothActor.loop.removeSource(token) }
        token = nil
    }

    private func handle(_ events: PollEvents) {
        let isGone = events.contains(.hangUp) || events.contains(.error)
        if isGone || events.contains(.writable) { pump() }
        // A hang-up is reported again and again, so the remaining bytes are read without watching.
        if isGone { return hangUp() }
        if events.contains(.readable) { read() }
    }

    // MARK: Input

    private func read() {
        guard !isReading, !hasEnded, let receiveHandler else { return }
        isReading = true
        let chunk = socket.receive(limit: Self.pieceLength)
        if case .bytes(let bytes) = chunk { receiveHandler(Data(bytes)) }
        isReading = false
        switch chunk {
        case .bytes: if isHungUp { readRestSoon() }
        case .nothing: if isHungUp { reachEnd() }
        case .end: reachEnd()
        }
    }

    private func readRestSoon() {
        guard isHungUp, !hasEnded, receiveHandler != nil else { return }
        BluetoothActor.perform { [weak self] in self?.read() }
    }

    private func reachEnd() {
        guard !hasEnded else { return }
        hasEnded = true
        isHungUp = true
        update()
        reportEndSoon()
    }

    private func reportEndSoon() {
        guard hasEnded, endHandler != nil else { return }
        BluetoothActor.perform { [weak self] in
            guard let self, let endHandler else { return }
            self.endHandler = nil
            endHandler()
        }
    }

    // MARK: Output

    private func pump() {
        while isOpen, let piece = output.first {
            guard let count = socket.send(piece.bytes) else {
                dropOutput()
                break
            }
            waiting -= count
            guard count == piece.bytes.count else {
                output[0].bytes.removeFirst(count)
                break
            }
            output.removeFirst()
            piece.completion(true)
        }
        if endsWhenSent, output.isEmpty { socket.shutDownSending() }
        update()
    }

    private func dropOutput() {
        let dropped = output
        output.removeAll()
        waiting = 0
        for piece in dropped { piece.completion(false) }
    }
}
