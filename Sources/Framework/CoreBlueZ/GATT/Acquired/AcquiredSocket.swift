import BlueZClient
import BlueZDBus

/// This program's end of the socket that `AcquireNotify` or `AcquireWrite` returned. `lifetime` is an operation that
/// ends with the link, the characteristic, bluetoothd or the manager, or when the socket is released.
@BluetoothActor final class AcquiredSocket {
    let packets: PacketSocket
    let mtu: Int
    let lifetime: Operation<Void>
    /// Called when `lifetime` has ended, while the socket can still be read. It gets the error, or nil if the socket
    /// was released.
    var closing: (@BluetoothActor (BluetoothError?) -> Void)?
    private weak var client: BlueZClient?
    private var token: EventLoop.Token?

    /// How long to wait for the reason after the socket's end.
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

    /// Calls `handler` again after other work, even if the socket is not ready.
    func requestPass() {
        if let token { BluetoothActor.loop.requestPass(of: token) }
    }

    /// Handles the closing of bluetoothd's end. Usually the link is gone, which bluetoothd reports just before or
    /// after.
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
        closing.take()?(error)
        packets.shutDown()
        guard let client, let path = lifetime.subject else { return }
        client.releasedSockets.insert(path)
        _ = BluetoothActor.after(Self.reasonWait) { [weak client] in client?.releasedSockets.remove(path) }
    }
}
