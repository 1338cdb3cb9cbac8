import DBus

/// Our end of the socket that `AcquireNotify` or `AcquireWrite` gave, and its life: an operation that ends with the
/// link, with the characteristic, with bluetoothd, with the manager, or when it is given back.
@BluetoothActor final class AcquiredSocket {
    let packets: PacketSocket
    let mtu: Int
    let life: Operation<Void>
    private weak var client: BlueZClient?
    private var token: EventLoop.Token?

    /// How long the reason may come after the socket's end that it caused.
    private static let reasonWait = Duration.seconds(1)

    init(_ reader: inout MessageReader, life: Operation<Void>, client: BlueZClient) throws(DBusError) {
        packets = PacketSocket(try reader.readFileDescriptor())
        mtu = Int(try reader.readUInt16())
        self.life = life
        self.client = client
        life.whenEnded { [self] _ in close() }
    }

    /// Begins to watch. `turn` runs whenever the socket is ready for one of the events.
    func watch(_ events: PollEvents, turn: @escaping @BluetoothActor (PollEvents) -> Void) {
        guard life.isPending, token == nil else { return }
        token = BluetoothActor.loop.addSource(descriptor: packets.descriptor.rawValue, events: events) { events in
            BluetoothActor.assumeIsolated { turn(events) }
        }
    }

    /// Changes what is watched for; the socket's end always is.
    func setEvents(_ events: PollEvents) {
        guard let token else { return }
        BluetoothActor.loop.updateSource(token, descriptor: packets.descriptor.rawValue, events: events)
    }

    /// bluetoothd has closed its end: mostly because the link is gone, which it tells just before or after.
    func peerDidClose() {
        stopWatching()
        guard life.isPending else { return }
        let error = BluetoothError(
            .cancelled, "\(life.title): bluetoothd took the socket back; another program may have stopped it")
        _ = BluetoothActor.after(Self.reasonWait) { [weak life] in life?.fail(error) }
    }

    private func stopWatching() {
        if let token { BluetoothActor.loop.removeSource(token) }
        token = nil
    }

    private func close() {
        stopWatching()
        packets.shutDown()
        guard let client, let path = life.subject else { return }
        client.releasedSockets.insert(path)
        _ = BluetoothActor.after(Self.reasonWait) { [weak client] in client?.releasedSockets.remove(path) }
    }
}
