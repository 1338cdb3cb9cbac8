import BlueZDBus

extension Device {
    /// dev_connect()
    func connect(_ call: IncomingCall) {
        if excludesCalls, let pairing, !pairing.isWaitingForServices { return call.fail(BlueZError.inProgress) }
        if isClassic { return connectProfiles(call, nil) }
        if excludesCalls, connectCall != nil { return call.fail(BlueZError.inProgress) }
        if isConnected { return call.reply() }
        setTemporary(false)
        guard attempt == nil else { return call.fail(BlueZError.failed("Operation already in progress")) }
        guard adapter?.isPowered == true else { return call.fail(BlueZError.failed("Input/output error")) }
        connectCall = call
        startAttempt(for: .client(call.sender, isPairing: false))
    }

    /// Starts an attempt, in which the kernel waits for an advertisement and then creates the link.
    func startAttempt(for maker: LinkMaker) {
        attemptMaker = maker
        attempt = adapter?.radio.connect(self) { [weak self] result in
            switch result {
            case .connected(let link, let fault): self?.establish(link, fault)
            case .unsignalled(let link): self?.establish(link, .none, isSignalled: false)
            case .lost(let link, let error): self?.establish(link, losingItWith: error)
            case .failed(let error): self?.attemptFailed(error)
            }
        }
    }

    /// Handles an attempt that the kernel or bluetoothd has abandoned.
    func attemptFailed(_ error: DBusError) {
        attempt = nil
        finishConnect(.failure(error))
        endPairing(BlueZError.failed("Software caused connection abort"))
    }

    func finishConnect(_ result: Result<Void, DBusError>) {
        if case .failure(let error) = result { finishProfileCall(error) }
        guard let call = connectCall else { return }
        connectCall = nil
        switch result {
        case .success: call.reply()
        case .failure(let error): call.fail(error)
        }
    }

    /// Handles a link that is up, whichever side made it.
    func linkUp(_ link: any RadioLink, isSignalled: Bool = true) {
        madeBy = attempt == nil ? .device : attemptMaker
        attempt = nil
        self.link = link
        isConnected = true
        temporaryTimer = nil
        if isSignalled { changed("Connected") }
        if isClassic { browse(link) }
    }

    /// device_attach_att(): takes a link that a central has made, and discovers its services too.
    package func accept(_ link: any RadioLink) {
        guard !isConnected else { return link.close() }
        if attempt != nil, case .client(let client, _) = attemptMaker { attemptMaker = .both(client: client) }
        establish(link, .none)
    }

    private func establish(_ link: any RadioLink, _ fault: CallFault, isSignalled: Bool = true) {
        linkUp(link, isSignalled: isSignalled)
        if isClassic {
            if let pairing { startPairing(pairing) }
            return
        }
        if fault == .noReply {
            connectCall?.abandon()
            connectCall = nil
        }
        if let pairing { startPairing(pairing) }
        finishConnect(.success(()))
        restoreSubscriptions()
        discoverServices(link)
    }

    /// Handles a link that is lost before bluetoothd has used it. Connect fails with the text of the error, and then
    /// the device is disconnected.
    private func establish(_ link: any RadioLink, losingItWith error: DBusError) {
        linkUp(link)
        server.flush()
        let call = connectCall.take()
        linkLost(.unknown)
        if let call { call.fail(error) }
    }

    /// dev_disconnect() with device_request_disconnect().
    func requestDisconnect(_ call: IncomingCall, removes: Bool) {
        attempt = nil
        finishConnect(.failure(BlueZError.failed("br-connection-canceled")))
        if isConnected { disconnectCalls.append((call, removes)) }
        for connection in connections { connection.end {} }
        guard ending == nil else { return }
        guard isConnected, let link else { return call.reply() }
        ending = link.disconnect { [weak self] in
            guard let self else { return }
            self.ending = nil
            self.linkLost(.local)
        }
    }

    private func channelClosed() {
        let link = link
        link?.close()
        self.link = nil
        endPairing(BlueZError.authenticationCanceled)
        battery = nil
        for service in services { service.disconnected() }
    }
}

extension Device: LinkHost {
    /// device_remove_connection(), then the consequences of the end of the ATT channel.
    package func linkLost(_ end: LinkEnd) {
        guard isConnected else { return }
        isConnected = false
        set("ServicesResolved", \.areServicesResolved, false)
        ending = nil
        finishConnect(.failure(BlueZError.failed("br-connection-canceled")))
        if reportsLinkEnds {
            server.emit("Disconnected", of: Self.interface, from: path, [end.name, end.text])
        }
        let calls = disconnectCalls
        disconnectCalls.removeAll()
        for (call, _) in calls { call.reply() }
        if isPaired, !isBonded {
            isAuthenticated = false
            set("Paired", \.isPaired, false)
        }
        advertisedUUIDs.removeAll()
        closeConnections()
        idleTimer = nil
        changed("Connected")
        seen()
        if calls.contains(where: \.removes) {
            adapter?.remove(self)
        } else {
            channelClosed()
        }
    }

    package func isReady(for handle: UInt16) -> Bool { characteristic(handle)?.notifySocket?.isReady ?? true }

    /// Handles a notification or indication.
    package func received(_ value: [UInt8], from handle: UInt16) {
        guard let characteristic = characteristic(handle) else { return }
        if characteristic.uuid == .batteryLevel, let level = value.first { battery?.update(level) }
        characteristic.received(value)
    }

    private func characteristic(_ handle: UInt16) -> RemoteCharacteristic? {
        for service in services {
            for characteristic in service.characteristics where characteristic.handle == handle {
                return characteristic
            }
        }
        return nil
    }

    /// Service Changed: removes old services, adds new ones. bluetoothd 5.66 does not touch ServicesResolved.
    package func servicesChanged(_ discovery: Discovery) {
        guard areServicesResolved else { return }
        update(from: discovery)
    }

    package func changed(_ change: DeviceChange) {
        switch change {
        case .name(let bytes): setName(bytes)
        case .appearance(let value): setAppearance(value)
        case .modalias(let text): set("Modalias", \.modalias, text)
        case .battery(let level): setBatteryLevel(level)
        case .isPaired(let value): set("Paired", \.isPaired, value)
        case .isBonded(let value): set("Bonded", \.isBonded, value)
        }
    }
}

/// The side that has made a link, or is making it.
package enum LinkMaker: Hashable, Sendable {
    /// A client by its unique name, with `Connect` or with `Pair`.
    case client(String, isPairing: Bool)
    /// The device.
    case device
    /// The device, while a client's attempt was in progress.
    case both(client: String)
}

extension Device {
    /// The side that has made the link or is making it; nil if there is neither.
    package var linkMaker: LinkMaker? { isConnected ? madeBy : attempt == nil ? nil : attemptMaker }

    /// The client whose call of `Pair` is in progress.
    package var pairingClient: String? { pairing?.client }
}
