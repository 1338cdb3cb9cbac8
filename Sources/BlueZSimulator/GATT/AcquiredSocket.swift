import DBus

/// bluetoothd's end of the socket that `AcquireWrite` or `AcquireNotify` gave to a client.
@SimulatorActor final class AcquiredSocket {
    let session: NotifySession?
    private var socket: PacketSocket?
    private var token: EventLoop.Token?

    init(session: NotifySession? = nil) {
        self.session = session
    }

    /// Makes the pair and returns the client's end.
    ///
    /// - Parameters:
    ///   - received: called with each packet of the client.
    ///   - closed: called when the client has closed its end.
    func open(
        received: @escaping @SimulatorActor ([UInt8]) -> Void,
        closed: @escaping @SimulatorActor () -> Void
    ) throws(DBusError) -> PacketSocket {
        let (ours, theirs) = try PacketSocket.pair()
        socket = ours
        token = SimulatorActor.loop.addSource(descriptor: ours.descriptor.rawValue, events: .readable) {
            [weak self] events in
            SimulatorActor.assumeIsolated { self?.turn(events, received, closed) }
        }
        return theirs
    }

    private func turn(
        _ events: PollEvents,
        _ received: @SimulatorActor ([UInt8]) -> Void,
        _ closed: @SimulatorActor () -> Void
    ) {
        guard let socket else { return }
        while case .bytes(let bytes) = socket.receive() { received([UInt8](bytes)) }
        if events.contains(.hangUp) || events.contains(.error) { closed() }
    }

    func send(_ value: [UInt8]) {
        socket?.send(value)
    }

    func close() {
        if let token { SimulatorActor.loop.removeSource(token) }
        token = nil
        socket?.shutDown()
        socket = nil
    }

    isolated deinit { close() }
}
