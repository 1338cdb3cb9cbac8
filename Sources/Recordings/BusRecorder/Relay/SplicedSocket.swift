import BlueZClient
import BlueZDBus
import FoundationEssentials

/// Connects the socket that bluetoothd has returned to a client with one end of a pair, whose other end the client gets.
/// Packets, also empty ones, and the end pass in both directions.
@BluetoothActor final class SplicedSocket {
    /// Called with each packet that passes, and whether the client has sent it.
    typealias PacketHandler = (_ packet: Data, _ isFromClient: Bool) -> Void

    private let daemon: PacketSocket
    private let ours: PacketSocket
    /// The client's end, until it is taken. If it stayed open here, the client's hang-up would not be noticed.
    private var theirs: UnixFileDescriptor?
    private var fromDaemon: PacketDirection
    private var fromClient: PacketDirection
    private var polledDaemon: PolledSocket?
    private var polledClient: PolledSocket?
    private let packetHandler: PacketHandler
    private var closedHandler: ((SplicedSocket) -> Void)?

    /// One direction. It receives only when everything that it has received is sent, so that it keeps 32 packets at
    /// most, and the sender notices if the receiver is slow.
    private struct PacketDirection {
        let packets: PacketQueue
        /// The packet that did not fit.
        private var first: Data?
        /// Whether the receiver is gone, so that packets are dropped.
        private var isBroken = false

        /// A value of an attribute has at most 512 bytes (Core Specification, volume 3, part F, 3.2.9).
        init(from socket: PacketSocket) {
            packets = PacketQueue(socket, packetLimit: 4096)
        }

        /// Whether a packet waits for the receiver.
        var wantsToSend: Bool { first != nil }
        var wantsToReceive: Bool { first == nil && !isBroken && !packets.isAtEnd }
        /// Whether the sender is gone, and everything that it has sent has passed.
        var isFinished: Bool { packets.isAtEnd && first == nil && packets.count == 0 }

        /// Passes packets on, as far as the receiver has space.
        mutating func pass(to socket: PacketSocket, _ handler: (Data) -> Void) {
            if wantsToReceive { packets.receive(upTo: 1) }
            while let packet = first ?? packets.popFirst() {
                if first == nil { handler(packet) }
                first = packet
                switch socket.trySend(packet) {
                case .sent: first = nil
                case .full: return
                case .end:
                    isBroken = true
                    first = nil
                    packets.removeAll()
                }
            }
        }
    }

    /// - Parameters:
    ///   - daemon: bluetoothd's socket.
    ///   - packet: called with each packet.
    ///   - closed: called once when either end is gone, but not by `close`.
    /// - Throws: `DBusError` if the kernel has no descriptors left.
    init(
        _ daemon: PacketSocket, packet: @escaping PacketHandler, closed: @escaping (SplicedSocket) -> Void
    ) throws(DBusError) {
        self.daemon = daemon
        let pair = try PacketSocket.pair()
        (ours, theirs) = (pair.0, pair.1.descriptor)
        fromDaemon = PacketDirection(from: daemon)
        fromClient = PacketDirection(from: ours)
        packetHandler = packet
        closedHandler = closed
        polledDaemon = PolledSocket(daemon.descriptor) { [weak self] _ in self?.proceed() }
        polledClient = PolledSocket(ours.descriptor) { [weak self] _ in self?.proceed() }
        wait()
    }

    /// Returns the client's end, once.
    func takeClientEnd() -> UnixFileDescriptor? { theirs.take() }

    isolated deinit { close() }

    /// Ends both.
    func close() {
        guard let polledDaemon else { return }
        polledDaemon.cancel()
        polledClient?.cancel()
        self.polledDaemon = nil
        polledClient = nil
        daemon.shutDown()
        ours.shutDown()
    }

    private func proceed() {
        guard polledDaemon != nil else { return }
        fromDaemon.pass(to: ours) { packetHandler($0, false) }
        fromClient.pass(to: daemon) { packetHandler($0, true) }
        // Whoever is gone may have sent packets before that, which the other one gets.
        guard !fromDaemon.isFinished, !fromClient.isFinished else {
            close()
            closedHandler.take()?(self)
            return
        }
        wait()
    }

    private func wait() {
        polledDaemon?.wait(reading: fromDaemon.wantsToReceive, writing: fromClient.wantsToSend)
        polledClient?.wait(reading: fromClient.wantsToReceive, writing: fromDaemon.wantsToSend)
    }
}

/// The sockets between bluetoothd and clients that are open.
@BluetoothActor final class SplicedSockets {
    private var sockets: [ObjectIdentifier: SplicedSocket] = [:]

    func add(_ socket: SplicedSocket) {
        sockets[ObjectIdentifier(socket)] = socket
    }

    func remove(_ socket: SplicedSocket) {
        sockets[ObjectIdentifier(socket)] = nil
    }

    func close() {
        for socket in sockets.values { socket.close() }
        sockets = [:]
    }
}
