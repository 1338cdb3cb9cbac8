import BlueZClient
import DBus

/// Our end of the socket that `AcquireNotify` or `AcquireWrite` returned. `lifetime` is an operation that ends with the
/// link, the characteristic, bluetoothd or the manager, or when the socket is released.
@BluetoothActor final class AcquiredSocket {
    let packets: PacketSocket
    let mtu: Int
    let lifetime: Operation<Void>
    /// Called when `lifetime` has ended, with the error unless the socket was released, while it can still be read.
    var closing: (@BluetoothActor (BluetoothError?) -> Void)?
    private weak var client: BlueZClient?
    private var token: EventLoop.Token?

    /// How long after the end of the socket its reason may arrive.
    private static let reasonWait = Duration.seconds(1)

    /// - Parameter lifetime: created if the reply has a socket.
    init(
        _ reader: inout MessageReader, lifetime: @autoclosure @BluetoothActor () -> Operation<Void>, client: BlueZClient
    ) throws(DBusError) {
        packets = PacketSocket(try reader.readFileDescriptor())
        mtu = Int(try reader.readUInt16())
        let lifetime = lifetime()
        self.lifetime = lifetime
        self.client = client
        lifetime.whenEnded { [self] error in close(error) }
    }

    /// Starts to watch. `handler` runs whenever the socket is ready for one of the events.
    func watch(_ events: PollEvents, handler: @escaping @BluetoothActor (PollEvents) -> Void) {
        guard lifetime.isPending, token == nil else { return }
        token = BluetoothActor.loop.addSource(
            descriptor: packets.descriptor.rawValue, events: events, handler: BluetoothActor.handler(handler))
    }

    /// Changes the events to watch for; the socket's end is always watched for.
    func setEvents(_ events: PollEvents) {
        guard let token else { return }
        BluetoothActor.loop.updateSource(token, descriptor: packets.descriptor.rawValue, events: events)
    }

    /// Calls `handler` again after other work, whether or not the socket is ready then.
    func requestPass() {
        if let token { BluetoothActor.loop.requestPass(of: token) }
    }

    /// bluetoothd has closed its end, usually because the link is gone, which it reports just before or after.
    func peerDidClose() {
        stopWatching()
        guard lifetime.isPending else { return }
        let error = BluetoothError(
            .cancelled, "\(lifetime.title): bluetoothd closed the socket; another program may have caused it")
        _ = BluetoothActor.after(Self.reasonWait) { [weak lifetime] in lifetime?.fail(error) }
    }

    private func stopWatching() {
        if let token { BluetoothActor.loop.removeSource(token) }
        token = nil
    }

    private func close(_ error: BluetoothError?) {
        stopWatching()
        let closing = closing
        self.closing = nil
        closing?(error)
        packets.shutDown()
        guard let client, let path = lifetime.subject else { return }
        client.releasedSockets.insert(path)
        _ = BluetoothActor.after(Self.reasonWait) { [weak client] in client?.releasedSockets.remove(path) }
    }
}
