import BlueZClient

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
