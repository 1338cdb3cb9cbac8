import BlueZDBus

extension RemoteCharacteristic {
    /// characteristic_start_notify()
    func startNotify(_ call: IncomingCall) {
        if device?.isDisconnecting == true { return call.fail(BlueZError.notConnected) }
        guard notifySocket == nil else { return call.fail(BlueZError.notPermitted("Notify acquired")) }
        guard canNotify else { return call.fail(BlueZError.notSupported) }
        if let session = sessions.first(where: { $0.owner == call.sender }) {
            return session.isRegistered ? call.reply() : call.fail(BlueZError.inProgress)
        }
        let session = NotifySession(owner: call.sender)
        sessions.append(session)
        guard let link else { return call.reply() }
        session.call = call
        register(session, link)
    }

    /// bt_gatt_client_register_notify(): the first session writes the client configuration, and others wait for it.
    func register(_ session: NotifySession, _ link: any RadioLink) {
        session.isRegistered = true
        let others = sessions.filter { $0 !== session && $0.isRegistered }
        guard isConfigured(on: link), !others.contains(where: \.isArmed) else { return armed(session) }
        guard !others.contains(where: { $0.request != nil }) else { return }
        let setting: NotifySetting = has(.notify) ? .notifications : .indications
        session.request = link.configure(handle, setting) { [weak self, weak session] result in
            session?.request = nil
            self?.configured(result)
        }
    }

    /// Whether notifications must be switched on, because there is a client configuration, or there may be one.
    private func isConfigured(on link: any RadioLink) -> Bool {
        link.isRelayed || description.descriptors.contains { $0.uuid == .clientConfiguration }
    }

    private func configured(_ result: Result<[UInt8], LinkError>) {
        for session in sessions where session.isRegistered && !session.isArmed {
            switch result {
            case .success: armed(session)
            case .failure(let error): refused(session, error)
            }
        }
    }

    private func armed(_ session: NotifySession) {
        session.isArmed = true
        if let socket = notifySocket, socket.session === session { return opened(socket, for: session) }
        if !isNotifying {
            isNotifying = true
            changed("Notifying")
        }
        guard let call = session.call else { return }
        session.call = nil
        if link?.callFault(of: handle) == .noReply { call.abandon() } else { call.reply() }
    }

    private func refused(_ session: NotifySession, _ error: LinkError) {
        // If the link was lost, register_notify_cb() gets 0x0e too, and the session is removed.
        sessions.removeAll { $0 === session }
        guard let call = session.call else { return }
        session.call = nil
        // In that case, bluetoothd 5.66 does not reply to AcquireNotify, and keeps the characteristic acquired.
        if notifySocket?.session === session { return call.abandon() }
        call.fail(BlueZError.link(error))
    }

    /// characteristic_stop_notify()
    func stopNotify(_ call: IncomingCall) {
        if let notifySocket {
            close(notifySocket)
            return call.reply()
        }
        guard let session = sessions.first(where: { $0.owner == call.sender }) else {
            return call.fail(BlueZError.failed("No notify session started"))
        }
        end(session)
        call.reply()
    }

    /// Ends a session. The last one switches the client configuration off.
    func end(_ session: NotifySession) {
        sessions.removeAll { $0 === session }
        let wasArmed = session.isArmed
        session.drop()
        if session.isRegistered, wasArmed, !sessions.contains(where: \.isRegistered), let link, isConfigured(on: link) {
            _ = link.configure(handle, .off) { _ in }
        }
        guard isNotifying, !sessions.contains(where: \.isRegistered) else { return }
        isNotifying = false
        changed("Notifying")
    }

    /// Handles a client that has left the bus.
    func senderVanished(_ name: String) {
        for session in sessions where session.owner == name {
            if let socket = notifySocket, socket.session === session { close(socket) } else { end(session) }
        }
    }

    /// notify_cb(): sends one signal per session, even if the value has not changed.
    func received(_ value: [UInt8]) {
        for session in sessions where session.isRegistered {
            if let socket = notifySocket, socket.session === session {
                socket.send(value)
            } else {
                cached.store(value, at: 0)
                reportValue()
            }
        }
    }

    func restoreSessions() {
        guard let link else { return }
        for session in sessions where !session.isRegistered { register(session, link) }
    }

    /// Handles the end of the link. Sessions remain, and are registered again on the next link. Sockets are closed.
    func disconnected() {
        for session in sessions {
            session.isRegistered = false
            session.isArmed = false
        }
        closeSockets()
    }

    func closeSockets() {
        if let notifySocket { close(notifySocket) }
        if let writeSocket { close(writeSocket) }
    }
}
