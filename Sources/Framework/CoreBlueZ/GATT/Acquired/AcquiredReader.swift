import BlueZDBus
import FoundationEssentials

/// Reads the values from an acquired socket. The socket's `lifetime` operation retains it.
///
/// bluetoothd drops values silently while the socket is full (src/gatt-client.c: notify_io). So all values are read
/// into memory before any is delivered.
@BluetoothActor final class AcquiredReader {
    let socket: AcquiredSocket
    private let received: @BluetoothActor (Data) -> Void
    private let waiting: PacketQueue

    /// How many values are delivered before the socket is read again and other work runs on the actor.
    private static let batch = 32
    /// How many values are kept in memory. Further values stay in the socket.
    private static let capacity = 1 << 14

    init(_ socket: AcquiredSocket, received: @escaping @BluetoothActor (Data) -> Void) {
        self.socket = socket
        self.received = received
        // A notification has up to MTU - 3 bytes, which may be more than the 512 of a value.
        waiting = PacketQueue(socket.packets, packetLimit: Swift.max(512, socket.mtu))
        socket.watch(.readable) { [self] _ in handle() }
        socket.closing = { [self] error in
            if error != nil { deliverRest() }
            discard()
        }
    }

    private func handle() {
        guard socket.lifetime.isPending else { return }
        waiting.receive(upTo: Self.capacity)
        deliver(atMost: Self.batch)
        guard socket.lifetime.isPending else { return }
        if waiting.count > 0 {
            socket.requestPass()
        } else if waiting.isAtEnd {
            socket.peerDidClose()
        }
    }

    /// Delivers the values already in the socket before something else ends them.
    func deliverRest() {
        waiting.receive(upTo: waiting.count + Self.capacity)
        deliver(atMost: .max)
    }

    /// Drops values that have not been delivered.
    func discard() {
        waiting.removeAll()
    }

    /// A closure may end the notifications, which discards the remaining values or delivers them immediately.
    private func deliver(atMost count: Int) {
        for _ in 0..<count {
            guard let value = waiting.popFirst() else { return }
            received(value)
        }
    }
}
