import BlueZDBus
import BlueZValues

extension ApplicationCharacteristic {
    /// Whether each device has sockets of its own, instead of one for all (from 5.69 on).
    var hasSocketsOfDevices: Bool { version >= .v5_69 }

    /// The socket that serves a link, or any if there is no link.
    func socket(of server: DatabaseServer?, among sockets: [ApplicationSocket]) -> ApplicationSocket? {
        guard hasSocketsOfDevices, let server else { return sockets.first }
        return sockets.first { $0.server === server }
    }

    func socket(for request: LocalRequest, among sockets: [ApplicationSocket]) -> ApplicationSocket? {
        socket(of: request.server, among: sockets)
    }

    /// Returns the socket in the reply to a call, nil if there is none.
    func socket(_ message: Message, _ server: DatabaseServer) -> ApplicationSocket? {
        var reader = message.reader
        guard let descriptor = try? reader.readFileDescriptor(), (try? reader.readUInt16()) != nil else { return nil }
        return ApplicationSocket(PacketSocket(descriptor), hasSocketsOfDevices ? server : nil)
    }

    /// acquire_write(): the write waits for the socket, and further ones with it.
    func acquireWrite(_ request: LocalRequest) {
        let isAcquiring = !pendingWrites.isEmpty
        pendingWrites.append(request)
        guard !isAcquiring else { return }
        let version = version
        object.call("AcquireWrite", [options(request)]) { [weak self] result in
            guard let self, request.server.isOpen else { return }
            switch result {
            case .failure(let error):
                let error = ATTError(error, denied: .writeNotPermitted, version: version)
                guard error == .unlikelyError else {
                    // bluetoothd 5.66 keeps the write, and so never calls AcquireWrite again.
                    if version >= .v5_82 { self.pendingWrites.removeAll { $0 === request } }
                    return request.finish(.failure(error))
                }
                self.flushWrites()
            case .success(let message):
                guard let socket = self.socket(message, request.server) else { return self.flushWrites() }
                self.writeSockets.append(socket)
                socket.start(received: nil) { [weak self, weak socket] in
                    if let self, let socket { self.close(socket) }
                }
                self.sendWrites(to: socket)
            }
        }
    }

    private func sendWrites(to socket: ApplicationSocket) {
        while let write = pendingWrites.first {
            guard socket.send(write.value) else { return flushWrites() }
            pendingWrites.removeFirst()
            write.finish(.success([]))
        }
    }

    /// flush_pending_writes(): they become calls after all.
    private func flushWrites() {
        for write in pendingWrites { send(write) }
    }

    func close(_ socket: ApplicationSocket) {
        socket.close()
        writeSockets.removeAll { $0 === socket }
        notifySockets.removeAll { $0 === socket }
    }

    func closeSockets() {
        for socket in writeSockets + notifySockets { close(socket) }
    }
}
