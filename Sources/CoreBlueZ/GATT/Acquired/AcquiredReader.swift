import DBus
import DequeModule
import FoundationEssentials

/// Takes the values out of an acquired socket. The operation that is its life keeps it.
///
/// bluetoothd drops values silently while the socket is full (src/gatt-client.c: notify_io). So all are read into
/// memory at once, before any is delivered.
@BluetoothActor final class AcquiredReader {
    let socket: AcquiredSocket
    private let received: @BluetoothActor (Data) -> Void
    private var waiting: Deque<Data> = []
    /// Whether the other end is closed and everything is read.
    private var isAtEnd = false

    /// How many values are delivered before the socket is read again and others on the actor have their turn.
    private static let batch = 16
    /// How many values may wait in memory; more stay in the socket.
    private static let capacity = 1 << 14

    init(_ socket: AcquiredSocket, received: @escaping @BluetoothActor (Data) -> Void) {
        self.socket = socket
        self.received = received
        socket.watch(.readable) { [weak self] _ in self?.turn() }
        socket.closing = { [self] error in
            if error != nil { deliverRest() }
            discard()
        }
    }

    private func turn() {
        guard socket.life.isPending else { return }
        if !isAtEnd { drain(upTo: Self.capacity) }
        deliver(atMost: Self.batch)
        guard socket.life.isPending else { return }
        if !waiting.isEmpty {
            socket.requestTurn()
        } else if isAtEnd {
            socket.peerDidClose()
        }
    }

    /// Delivers what bluetoothd has put into the socket before something else ends the values.
    func deliverRest() {
        drain(upTo: waiting.count + Self.capacity)
        deliver(atMost: .max)
    }

    /// Drops what has not been delivered.
    func discard() {
        waiting = []
    }

    /// A closure may end the values, which discards the others or delivers them at once.
    private func deliver(atMost count: Int) {
        for _ in 0..<count {
            guard let value = waiting.popFirst() else { return }
            received(value)
        }
    }

    /// A notification has up to MTU - 3 bytes, which may be more than the 512 of a value.
    private func receive() -> PacketSocket.Packet {
        socket.packets.receive(limit: Swift.max(512, socket.mtu))
    }

    /// Reads what is there, until this many values wait.
    private func drain(upTo limit: Int) {
        while waiting.count < limit {
            switch receive() {
            case .bytes(let bytes): waiting.append(bytes)
            case .nothing: return
            case .end:
                // An empty value looks like the end; a value behind it shows which it was.
                guard case .bytes(let bytes) = receive(), !bytes.isEmpty else { return isAtEnd = true }
                waiting.append(Data())
                waiting.append(bytes)
            }
        }
    }
}
