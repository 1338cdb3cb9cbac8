import BlueZDBus
import BlueZValues

extension Device {
    var isClassic: Bool { identity.deviceClass != nil }

    /// device_connect_profiles()
    func connectProfiles(_ call: IncomingCall, _ uuid: String?) {
        guard profileCall == nil else { return call.fail(BlueZError.named(.inProgress, "br-connection-busy")) }
        guard adapter?.isPowered == true else {
            return call.fail(BlueZError.named(.notReady, "br-connection-adapter-not-powered"))
        }
        setTemporary(false)
        profileCall = ProfileCall(call: call, uuid: uuid)
        if isConnected {
            if areServicesResolved { connectNextProfile() }
        } else if attempt == nil {
            startAttempt(for: .client(call.sender, isPairing: false))
        }
    }

    func connectProfile(_ call: IncomingCall) {
        var reader = call.reader
        guard let text = try? reader.readString(), let uuid = BluetoothUUID(bluez: text) else {
            return call.fail(BlueZError.named(.invalidArguments, "br-connection-invalid-argument"))
        }
        guard isClassic else {
            return call.fail(BlueZError.named(.notAvailable, "br-connection-profile-unavailable"))
        }
        connectProfiles(call, uuid.fullString)
    }

    func disconnectProfile(_ call: IncomingCall) {
        var reader = call.reader
        guard let text = try? reader.readString(), let uuid = BluetoothUUID(bluez: text),
            uuids.contains(uuid.fullString)
        else {
            return call.fail(BlueZError.invalidArguments)
        }
        guard let connection = connections.first(where: { $0.profile?.uuid == uuid.fullString }) else {
            return call.reply()
        }
        connection.end { call.reply() }
    }

    /// device_browse_sdp()
    func browse(_ link: any RadioLink) {
        link.discover { [weak self, weak link] discovery in
            guard let self, let link, self.link === link else { return }
            self.setTemporary(false)
            self.areServicesKnown = true
            self.areServicesResolved = true
            self.classicServices = discovery?.uuids ?? []
            self.addUUIDs(self.classicServices)
            self.changed("ServicesResolved")
            self.advertisedUUIDs.removeAll()
            self.pairing?.servicesResolved()
            self.connectNextProfile()
        }
    }

    private func connectNextProfile() {
        guard let pending = profileCall else { return }
        let offered = classicServices.map(\.fullString)
        let wanted = pending.uuid.map { offered.contains($0) ? adapter?.profiles.client(of: $0) : nil }
        guard let profile = wanted ?? adapter?.profiles.automatic(among: pending.uuid == nil ? offered : []) else {
            profileCall = nil
            pending.call.fail(BlueZError.named(.notAvailable, "br-connection-profile-unavailable"))
            return endIdleLink()
        }
        // EALREADY
        guard !connections.contains(where: { $0.profile === profile }) else { return finishProfileCall(nil) }
        open(profile) { [weak self] _, error in self?.finishProfileCall(error) }
    }

    func finishProfileCall(_ error: DBusError?) {
        guard let call = profileCall?.call else { return }
        profileCall = nil
        if let error { call.fail(error) } else { call.reply() }
        if error != nil { endIdleLink() }
    }

    private func open(
        _ profile: RegisteredProfile,
        _ completion: @escaping @BlueZServerActor ((any RadioChannel)?, DBusError?) -> Void
    ) {
        guard let link, let connection = try? ProfileConnection(profile, self, link) else {
            return completion(nil, BlueZError.failed("br-connection-create-socket"))
        }
        connections.append(connection)
        connection.begin { error in
            guard error == nil else { return completion(nil, error) }
            connection.channel?.opened()
            completion(connection.channel, nil)
        }
    }

    /// ext_io_disconnected()
    func ended(_ connection: ProfileConnection) {
        connections.removeAll { $0 === connection }
        endIdleLink()
    }

    /// Ends a link that nothing uses after 2 s, as the kernel does (HCI_DISCONN_TIMEOUT).
    private func endIdleLink() {
        guard isClassic, isConnected, connections.isEmpty, profileCall == nil else { return }
        idleTimer = BlueZServerActor.schedule(after: timing.idleLink) { [weak self] in
            guard let self, self.connections.isEmpty, self.profileCall == nil else { return }
            self.linkLost(.local)
        }
    }

    func closeConnections() {
        let closed = connections
        connections.removeAll()
        for connection in closed { connection.close() }
    }

    // MARK: Connected by the device

    /// Handles a device that connects to a service of this machine: ext_confirm() and ext_direct_connect().
    ///
    /// - Parameter makeLink: makes the link if there is none.
    package func accept(
        _ uuid: BluetoothUUID, makeLink: @BlueZServerActor (any LinkHost) -> any RadioLink,
        _ completion: @escaping @BlueZServerActor ((any RadioChannel)?) -> Void
    ) {
        guard let adapter, let profile = adapter.profiles.server(of: uuid.fullString) else { return completion(nil) }
        if !isConnected { linkUp(makeLink(self)) }
        let begin: @BlueZServerActor () -> Void = { [weak self] in
            guard let self else { return completion(nil) }
            self.open(profile) { channel, _ in completion(channel) }
        }
        guard profile.asksForAuthorization, !isTrusted else { return begin() }
        guard let agent = adapter.agents.agent(of: nil) else { return completion(nil) }
        agent.ask("AuthorizeService", [.objectPath(path), .string(uuid.fullString)]) { result in
            if case .success = result { begin() } else { completion(nil) }
        }
    }
}

/// A call of ConnectProfile, or of Connect, on a classic device.
@BlueZServerActor struct ProfileCall {
    let call: IncomingCall
    /// The service to connect; nil for all that connect automatically.
    let uuid: String?
}
