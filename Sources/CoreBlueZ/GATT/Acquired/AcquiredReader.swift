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
    /// The memory for values that wait, kept from turn to turn.
    private var spare: Deque<Data> = []

    /// How many values are delivered before the socket is read again.
    private static let batch = 16

    init(_ socket: AcquiredSocket, received: @escaping @BluetoothActor (Data) -> Void) {
        self.socket = socket
        self.received = received
        socket.watch(.readable) { [weak self] _ in self?.turn() }
        socket.life.whenEnded { [self] _ in spare = [] }
    }

    /// Delivers all that is there, and what comes meanwhile. The values are in a variable, not in a property: each use of
    /// that would be checked for overlaps.
    private func turn() {
        var waiting = spare
        spare = []
        var isEnd = drain(into: &waiting)
        while socket.life.isPending, !waiting.isEmpty {
            for _ in 0..<Self.batch where socket.life.isPending {
                guard let value = waiting.popFirst() else { break }
                received(value)
            }
            // If none is left, the loop says when there is more.
            if !isEnd, !waiting.isEmpty { isEnd = drain(into: &waiting) }
        }
        if waiting.isEmpty, socket.life.isPending { spare = waiting }
        if isEnd { socket.peerDidClose() }
    }

    /// A notification has up to MTU - 3 bytes, which may be more than the 512 of a value.
    private func receive() -> PacketSocket.Packet {
        socket.packets.receive(limit: Swift.max(512, socket.mtu))
    }

    /// Reads all that is there. Returns whether the other end is closed.
    private func drain(into waiting: inout Deque<Data>) -> Bool {
        guard socket.life.isPending else { return false }
        while true {
            switch receive() {
            case .bytes(let bytes): waiting.append(bytes)
            case .nothing: return false
            case .end:
                // An empty value looks like the end; a value behind it shows which it was.
                guard case .bytes(let bytes) = receive(), !bytes.isEmpty else { return true }
                waiting.append(Data())
                waiting.append(bytes)
            }
        }
    }
}
