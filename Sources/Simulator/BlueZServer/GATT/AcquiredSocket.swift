import BlueZDBus

/// bluetoothd's end of the socket that `AcquireWrite` or `AcquireNotify` has returned to a client.
@BlueZServerActor final class AcquiredSocket {
    let session: NotifySession?
    private var socket: PacketSocket?
    private var token: EventLoop.Token?

    /// The number of packets that are received before other sources are handled.
    private static let batch = 64

    init(session: NotifySession? = nil) {
        self.session = session
    }

    /// Creates the pair, and returns the client's end.
    ///
    /// - Parameters:
    ///   - received: called with each packet of the client.
    ///   - closed: called when the client has closed its end.
    func open(
        received: @escaping @BlueZServerActor ([UInt8]) -> Void,
        closed: @escaping @BlueZServerActor () -> Void
    ) throws(DBusError) -> PacketSocket {
        let (ours, theirs) = try PacketSocket.pair()
        socket = ours
        token = BlueZServerActor.loop.addSource(descriptor: ours.descriptor.rawValue, events: .readable) {
            [weak self] events in
            BlueZServerActor.assumeIsolated { self?.handle(events, received, closed) }
        }
        return theirs
    }

    private func handle(
        _ events: PollEvents,
        _ received: @BlueZServerActor ([UInt8]) -> Void,
        _ closed: @BlueZServerActor () -> Void
    ) {
        guard let socket else { return }
        // Nothing follows the client's end. Before that, it could send forever.
        let isEnd = events.contains(.hangUp) || events.contains(.error)
        for _ in 0..<(isEnd ? .max : Self.batch) {
            guard case .bytes(let bytes) = socket.receive() else { break }
            received([UInt8](bytes))
        }
        if isEnd { closed() }
    }

    /// Whether there is space for another value.
    var isReady: Bool { socket?.isWritable ?? true }

    func send(_ value: [UInt8]) {
        socket?.send(value)
    }

    func close() {
        if let token { BlueZServerActor.loop.removeSource(token) }
        token = nil
        socket?.shutDown()
        socket = nil
    }

    isolated deinit { close() }
}
