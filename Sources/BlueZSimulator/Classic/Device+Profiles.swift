import DBus

/// A call of ConnectProfile, or of Connect, on a classic device.
@SimulatorActor struct ProfileCall {
    let call: IncomingCall
    /// The service that is wanted; nil for all that connect by themselves.
    let uuid: String?
}

extension Device {
    var isClassic: Bool { deviceClass != nil }

    private var classicServices: [AttributeUUID] { air.peripheral(address)?.specification.classic?.services ?? [] }

    /// device_connect_profiles()
    func connectProfiles(_ call: IncomingCall, _ uuid: String?) {
        guard profileCall == nil else { return call.fail(BlueZError.named("InProgress", "br-connection-busy")) }
        guard adapter?.isPowered == true else {
            return call.fail(BlueZError.named("NotReady", "br-connection-adapter-not-powered"))
        }
        setTemporary(false)
        profileCall = ProfileCall(call: call, uuid: uuid)
        if isConnected {
            if areServicesResolved { connectNextProfile() }
        } else if attempt == nil {
            startAttempt()
        }
    }

    func connectProfile(_ call: IncomingCall) {
        var reader = call.reader
        guard let text = try? reader.readString(), let uuid = AttributeUUID(text) else {
            return call.fail(BlueZError.named("InvalidArguments", "br-connection-invalid-argument"))
        }
        guard isClassic else {
            return call.fail(BlueZError.named("NotAvailable", "br-connection-profile-unavailable"))
        }
        connectProfiles(call, uuid.string)
    }

    func disconnectProfile(_ call: IncomingCall) {
        var reader = call.reader
        guard let text = try? reader.readString(), let uuid = AttributeUUID(text), uuids.contains(uuid.string) else {
            return call.fail(BlueZError.invalidArguments)
        }
        guard let connection = connections.first(where: { $0.profile.uuid == uuid.string }) else { return call.reply() }
        connection.end { call.reply() }
    }

    /// device_browse_sdp()
    func browse(_ link: Link) {
        SimulatorActor.schedule(after: timing.serviceDiscovery) { [weak self, weak link] in
            guard let self, let link, self.link === link else { return }
            self.setTemporary(false)
            self.areServicesKnown = true
            self.areServicesResolved = true
            self.addUUIDs(self.classicServices)
            self.changed("ServicesResolved")
            self.advertisedUUIDs.removeAll()
            self.pairing?.servicesResolved()
            self.connectNextProfile()
        }
    }

    private func connectNextProfile() {
        guard let pending = profileCall else { return }
        let offered = classicServices.map(\.string)
        let wanted = pending.uuid.map { offered.contains($0) ? adapter?.profiles.client(of: $0) : nil }
        guard let profile = wanted ?? adapter?.profiles.automatic(among: pending.uuid == nil ? offered : []) else {
            profileCall = nil
            pending.call.fail(BlueZError.named("NotAvailable", "br-connection-profile-unavailable"))
            return endIdleLink()
        }
        // EALREADY
        guard !connections.contains(where: { $0.profile === profile }) else { return answerProfileCall(nil) }
        open(profile) { [weak self] _, error in self?.answerProfileCall(error) }
    }

    func answerProfileCall(_ error: DBusError?) {
        guard let call = profileCall?.call else { return }
        profileCall = nil
        if let error { call.fail(error) } else { call.reply() }
        if error != nil { endIdleLink() }
    }

    private func open(
        _ profile: RegisteredProfile,
        _ completion: @escaping @SimulatorActor (SimulatedRFCOMMChannel?, DBusError?) -> Void
    ) {
        guard let peripheral = link?.peripheral, let connection = try? ProfileConnection(profile, self) else {
            return completion(nil, BlueZError.failed("br-connection-create-socket"))
        }
        connections.append(connection)
        connection.begin { [weak peripheral] error in
            guard let peripheral, error == nil else { return completion(nil, error) }
            peripheral.opened(connection.channel)
            completion(connection.channel, nil)
        }
    }

    /// ext_io_disconnected()
    func ended(_ connection: ProfileConnection) {
        connections.removeAll { $0 === connection }
        endIdleLink()
    }

    /// The kernel ends a link that nothing uses, after two seconds (HCI_DISCONN_TIMEOUT).
    private func endIdleLink() {
        guard isClassic, isConnected, connections.isEmpty, profileCall == nil else { return }
        idleTimer?.cancel()
        idleTimer = SimulatorActor.schedule(after: timing.idleLink) { [weak self] in
            guard let self, self.connections.isEmpty, self.profileCall == nil else { return }
            self.linkLost()
        }
    }

    func closeConnections() {
        let closed = connections
        connections.removeAll()
        for connection in closed { connection.close() }
    }

    // MARK: Connected by the device

    /// The device connects to a service that this computer offers: ext_confirm() and ext_direct_connect().
    func accept(
        _ peripheral: SimulatedPeripheral, to uuid: AttributeUUID,
        _ completion: @escaping @SimulatorActor (SimulatedRFCOMMChannel?) -> Void
    ) {
        guard let adapter, let profile = adapter.profiles.server(of: uuid.string) else { return completion(nil) }
        if !isConnected { linkUp(peripheral) }
        let begin: @SimulatorActor () -> Void = { [weak self] in
            guard let self else { return completion(nil) }
            self.open(profile) { channel, _ in completion(channel) }
        }
        guard profile.asksForAuthorization, !isTrusted else { return begin() }
        guard let agent = adapter.agents.agent(of: nil) else { return completion(nil) }
        agent.ask("AuthorizeService", [.objectPath(path), .string(uuid.string)]) { result in
            if case .success = result { begin() } else { completion(nil) }
        }
    }
}

extension SimulatedBlueZ {
    /// A classic device connects to an RFCOMM service that a client offers, and makes the link if there is none.
    ///
    /// - Parameters:
    ///   - peripheral: the device.
    ///   - uuid: the service.
    ///   - completion: gets the device's end of the channel; nil if nobody offers the service, an agent does not allow it, or
    ///     the client does not take the channel.
    public func simulateRFCOMMConnection(
        of peripheral: SimulatedPeripheral,
        to uuid: AttributeUUID,
        completion: @escaping @SimulatorActor (SimulatedRFCOMMChannel?) -> Void
    ) {
        guard let adapter = adapters.first(where: { $0.isPresent && $0.isPowered }),
            let device = adapter.findOrMake(peripheral)
        else { return completion(nil) }
        device.accept(peripheral, to: uuid, completion)
    }
}
