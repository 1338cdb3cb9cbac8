import BlueZDBus
import BlueZValues

extension ApplicationCharacteristic {
    /// ccc_write_cb(): a central has written its client configuration. Without a request, it is gone.
    ///
    /// - Returns: the central's error, or nil. The answers of the application are ignored.
    func configure(_ value: UInt16, _ request: LocalRequest?) -> ATTError? {
        guard value != 0, let request else {
            unsubscribe(request?.server)
            return nil
        }
        guard value <= 2,
            value == 1 && flags.properties.contains(.notify)
                || value == 2 && flags.properties.contains(.indicate)
        else { return ATTError(rawValue: 0xFD) }
        if socket(of: request.server, among: notifySockets) != nil {
            subscriptionCount += 1
        } else if object.properties["NotifyAcquired"] != nil {
            acquireNotify(request)
        } else {
            object.call("StartNotify")
            subscriptionCount += 1
        }
        return nil
    }

    /// The last central that switches it off, or any with a socket of its own (from 5.69 on).
    private func unsubscribe(_ server: DatabaseServer?) {
        guard subscriptionCount > 0 else { return }
        subscriptionCount -= 1
        if hasSocketsOfDevices, let socket = socket(of: server, among: notifySockets) { return close(socket) }
        guard subscriptionCount == 0 else { return }
        if let socket = notifySockets.first { close(socket) } else { object.call("StopNotify") }
    }

    /// acquire_notify(): from 5.69 on, each central has a socket.
    private func acquireNotify(_ request: LocalRequest) {
        let server = request.server
        let options = options(request)
        object.call("AcquireNotify", [options]) { [weak self] result in
            guard let self, self.attribute != nil, server.isOpen else { return }
            switch result {
            case .failure(let error) where Self.endsSubscription(error): return
            case .success(let message):
                if let socket = self.socket(message, server) {
                    self.notifySockets.append(socket)
                    self.watch(socket)
                    break
                }
                fallthrough
            default: self.object.call("StartNotify")
            }
            self.subscriptionCount += 1
        }
    }

    /// Whether bluetoothd does not try StartNotify after this error.
    private static func endsSubscription(_ error: DBusError) -> Bool {
        [DBusError.Name.noReply, BlueZErrorName.failed.rawValue].contains(error.name)
    }

    private func watch(_ socket: ApplicationSocket) {
        let isShared = !hasSocketsOfDevices
        socket.start { [weak self, weak socket] bytes in
            guard let self, let socket else { return }
            if isShared { return self.update(bytes) }
            // From 5.69 on, the confirmation of an indication is a byte on the socket.
            self.update(bytes, to: socket.server?.identity) { [weak socket] in _ = socket?.send([1]) }
        } closed: { [weak self, weak socket] in
            if let self, let socket { self.close(socket) }
        }
    }
}
