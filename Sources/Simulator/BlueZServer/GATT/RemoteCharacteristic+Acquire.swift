import BlueZDBus

extension RemoteCharacteristic {
    /// characteristic_acquire_write()
    func acquireWrite(_ call: IncomingCall) {
        guard let link else { return call.fail(BlueZError.failed("Not connected")) }
        guard writeSocket == nil else { return call.fail(BlueZError.notPermitted("Write acquired")) }
        guard has(.writeWithoutResponse) else { return call.fail(BlueZError.notSupported) }
        let socket = AcquiredSocket()
        writeSocket = socket
        open(socket, "WriteAcquired", call, link)
    }

    /// characteristic_acquire_notify()
    func acquireNotify(_ call: IncomingCall) {
        guard let link else { return call.fail(BlueZError.failed("Not connected")) }
        guard notifySocket == nil else { return call.fail(BlueZError.notPermitted("Notify acquired")) }
        guard sessions.isEmpty else { return call.fail(BlueZError.inProgress) }
        guard has(.notify) else { return call.fail(BlueZError.notSupported) }
        let session = NotifySession(owner: call.sender)
        session.call = call
        sessions.append(session)
        notifySocket = AcquiredSocket(session: session)
        register(session, link)
    }

    /// Passes the client its end when the client configuration has been written.
    func opened(_ socket: AcquiredSocket, for session: NotifySession) {
        guard let call = session.call, let link else { return }
        session.call = nil
        open(socket, "NotifyAcquired", call, link)
    }

    private func open(_ socket: AcquiredSocket, _ property: String, _ call: IncomingCall, _ link: any RadioLink) {
        do throws(DBusError) {
            let theirs = try socket.open { [weak self] bytes in
                guard let self, let link = self.link, !bytes.isEmpty, bytes.count <= link.mtu - 3 else { return }
                link.command(bytes, to: self.handle)
            } closed: { [weak self, weak socket] in
                if let socket { self?.close(socket) }
            }
            changed(property)
            call.reply { (writer) throws(DBusError) in
                try writer.append(theirs.descriptor)
                try writer.append(UInt16(link.mtu))
            }
        } catch {
            call.fail(BlueZError.failed(error.message))
        }
    }

    /// destroy_sock(): closes the socket, so that the client's end sees a hang-up.
    func close(_ socket: AcquiredSocket) {
        socket.close()
        if socket === writeSocket {
            writeSocket = nil
            changed("WriteAcquired")
        } else if socket === notifySocket {
            notifySocket = nil
            changed("NotifyAcquired")
            if let session = socket.session { end(session) }
        }
    }
}
