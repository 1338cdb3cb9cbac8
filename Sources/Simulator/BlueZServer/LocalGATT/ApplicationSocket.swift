import BlueZDBus

/// bluetoothd's end of a socket that an application has returned from `AcquireWrite` or `AcquireNotify`.
@BlueZServerActor final class ApplicationSocket {
    /// The link that it serves; nil if it serves all.
    private(set) weak var server: DatabaseServer?
    private var socket: PacketSocket?
    private var token: EventLoop.Token?

    init(_ socket: PacketSocket, _ server: DatabaseServer?) {
        self.socket = socket
        self.server = server
    }

    /// Begins to watch the socket.
    ///
    /// - Parameters:
    ///   - received: called with each packet of the application; nil if it is not to be read.
    ///   - closed: called when the application has closed its end.
    func start(
        received: (@BlueZServerActor ([UInt8]) -> Void)?, closed: @escaping @BlueZServerActor () -> Void
    ) {
        guard let socket, token == nil else { return }
        token = BlueZServerActor.loop.addSource(
            descriptor: socket.descriptor.rawValue, events: received == nil ? [] : .readable
        ) { [weak self] events in
            BlueZServerActor.assumeIsolated { self?.handle(events, received, closed) }
        }
    }

    private func handle(
        _ events: PollEvents, _ received: (@BlueZServerActor ([UInt8]) -> Void)?, _ closed: @BlueZServerActor () -> Void
    ) {
        guard let socket else { return }
        if let received, case .bytes(let bytes) = socket.receive(), !bytes.isEmpty { received([UInt8](bytes)) }
        guard events.contains(.hangUp) || events.contains(.error) else { return }
        while let received, case .bytes(let bytes) = socket.receive(), !bytes.isEmpty { received([UInt8](bytes)) }
        closed()
    }

    /// Sends a packet. Returns whether that was possible.
    func send(_ value: [UInt8]) -> Bool { socket?.send(value) ?? false }

    func close() {
        if let token { BlueZServerActor.loop.removeSource(token) }
        token = nil
        socket?.shutDown()
        socket = nil
    }

    isolated deinit { close() }
}
