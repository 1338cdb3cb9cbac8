import DBus

/// A connection that is being made.
@SimulatorActor final class ConnectionAttempt {
    private var timers: [ScheduledCall] = []

    func schedule(after delay: Duration, _ body: @escaping @SimulatorActor () -> Void) {
        timers.append(SimulatorActor.schedule(after: delay, body))
    }

    func cancel() {
        timers.forEach { $0.cancel() }
        timers.removeAll()
    }
}

extension Device {
    /// dev_connect()
    func connect(_ call: IncomingCall) {
        if isClassic { return connectProfiles(call, nil) }
        if isConnected { return call.reply() }
        setTemporary(false)
        guard attempt == nil else { return call.fail(BlueZError.failed("Operation already in progress")) }
        guard adapter?.isPowered == true else { return call.fail(BlueZError.failed("Input/output error")) }
        connectCall = call
        startAttempt()
    }

    /// The kernel waits for an advertisement, then creates the link.
    func startAttempt() {
        let attempt = ConnectionAttempt()
        self.attempt = attempt
        attempt.schedule(after: timing.connectTimeout) { [weak self] in
            self?.attemptFailed(
                self?.isClassic == true ? "br-connection-page-timeout" : "le-connection-abort-by-local")
        }
        tryAttempt()
    }

    /// Continues a waiting attempt if the peripheral can be heard.
    func tryAttempt() {
        guard let attempt, let peripheral = air.peripheral(address), !isBlocked else { return }
        guard peripheral.isAdvertising, !peripheral.isConnected, peripheral.advertisement.isConnectable else { return }
        if case .failure(let text, let delay) = peripheral.connectionFault {
            return attempt.schedule(after: delay) { [weak self] in self?.attemptFailed(text) }
        }
        attempt.schedule(after: timing.connect) { [weak self, weak peripheral] in
            guard let self, let peripheral, self.attempt === attempt else { return }
            guard peripheral.isAdvertising, !peripheral.isConnected else { return }
            self.establish(peripheral)
        }
    }

    func attemptFailed(_ text: String) {
        attempt?.cancel()
        attempt = nil
        answerConnect(.failure(BlueZError.failed(text)))
        endPairing(BlueZError.failed("Software caused connection abort"))
    }

    func answerConnect(_ result: Result<Void, DBusError>) {
        if case .failure(let error) = result { answerProfileCall(error) }
        guard let call = connectCall else { return }
        connectCall = nil
        switch result {
        case .success: call.reply()
        case .failure(let error): call.fail(error)
        }
    }

    /// There is a link, made by either side.
    func linkUp(_ peripheral: SimulatedPeripheral) {
        attempt?.cancel()
        attempt = nil
        let link = Link(to: peripheral, from: self, timeout: timing.attTransaction)
        self.link = link
        isConnected = true
        clearTemporaryTimer()
        changed("Connected")
        adapter?.connected(self)
        if isClassic { browse(link) }
    }

    private func establish(_ peripheral: SimulatedPeripheral) {
        linkUp(peripheral)
        guard let link else { return }
        if isClassic {
            if let pairing { startPairing(pairing) }
            return
        }
        switch peripheral.connectionFault {
        case .shortLink(let text):
            server.flush()
            loseShortLink(text)
            return
        case .lostReply:
            connectCall?.abandon()
            connectCall = nil
        default: break
        }
        if let pairing { startPairing(pairing) }
        answerConnect(.success(()))
        restoreSubscriptions()
        if peripheral.connectionFault == .stalledDiscovery { return }
        SimulatorActor.schedule(after: timing.serviceDiscovery) { [weak self, weak link] in
            guard let self, let link, self.link === link else { return }
            self.discoverServices(link)
        }
    }

    /// The link is lost before bluetoothd has used it: the connect ends with its text, then the device is disconnected.
    private func loseShortLink(_ text: String) {
        let call = connectCall
        connectCall = nil
        linkLost()
        if let call { call.fail(BlueZError.failed(text)) }
    }

    /// dev_disconnect() with device_request_disconnect().
    func disconnect(_ call: IncomingCall) {
        requestDisconnect(call, removes: false)
    }

    func requestDisconnect(_ call: IncomingCall?, removes: Bool) {
        attempt?.cancel()
        attempt = nil
        answerConnect(.failure(BlueZError.failed("br-connection-canceled")))
        if isConnected, let call { disconnectCalls.append((call, removes)) }
        for connection in connections { connection.end {} }
        guard disconnectTimer == nil else { return }
        guard isConnected else {
            if let call { call.reply() }
            return
        }
        disconnectTimer = SimulatorActor.schedule(after: timing.disconnect) { [weak self] in
            guard let self else { return }
            self.disconnectTimer = nil
            self.linkLost()
        }
    }

    /// device_remove_connection(), then the consequences of the end of the ATT channel.
    func linkLost() {
        guard isConnected else { return }
        isConnected = false
        if areServicesResolved {
            areServicesResolved = false
            changed("ServicesResolved")
        }
        disconnectTimer?.cancel()
        disconnectTimer = nil
        answerConnect(.failure(BlueZError.failed("br-connection-canceled")))
        let calls = disconnectCalls
        disconnectCalls.removeAll()
        for (call, _) in calls { call.reply() }
        if isPaired, !isBonded {
            isPaired = false
            keys = nil
            changed("Paired")
        }
        advertisedUUIDs.removeAll()
        closeConnections()
        idleTimer?.cancel()
        changed("Connected")
        seen()
        adapter?.disconnected(self)
        if calls.contains(where: \.removes) {
            adapter?.remove(self)
        } else {
            channelClosed()
        }
    }

    private func channelClosed() {
        let link = link
        link?.close()
        self.link = nil
        endPairing(BlueZError.authenticationCanceled)
        battery?.unregister()
        battery = nil
        for service in services { service.disconnected() }
    }
}
