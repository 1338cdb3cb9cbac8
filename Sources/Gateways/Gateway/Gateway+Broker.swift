import BlueZDBus
import CoreBlueZ
import GatewayProtocol

extension Gateway {
    func startBroker() {
        let mailbox = BrokerMailbox(topics) { [weak self] in
            BluetoothActor.perform { self?.emptyMailbox() }
        }
        self.mailbox = mailbox
        do throws(BrokerError) {
            try broker.start(
                will: statusMessage(.offline), subscriptions: topics.subscriptions(gateway: name),
                handler: { [mailbox] event in mailbox.put(event) })
        } catch {
            log.error("The broker cannot be used: \(error)")
            session.finish(.refused(error))
        }
    }

    private func emptyMailbox() {
        guard let contents = mailbox?.take() else { return }
        warnings.dropped("messages that came too fast", count: contents.dropped)
        for entry in contents.entries where !isEnding { handle(entry) }
    }

    private func handle(_ entry: BrokerMailbox.Entry) {
        switch entry.event {
        case .connected: brokerDidConnect()
        case .disconnected(let error):
            isAnnounced = false
            if let text = session.disconnected(error) { log.warning("\(text)") }
        case .refused(let error):
            log.error("\(error)")
            session.closed()
            session.finish(.refused(error))
        case .publishRefused(let topic, let correlation, let error):
            guard error.code != .notConnected else { break }
            if topic == topics.status(name) { return statusRefused(error) }
            warnings.dropped("messages that the broker did not take (\(error))", topic: topic)
            guard error.code == .tooLarge, case .response(let client, name)? = topics.kind(of: topic),
                let id = correlation.flatMap(Identifier.init(bytes:))
            else { break }
            refuse(
                RequestLedger.Key(client: client, id: id),
                .bluez(.failed, "The response is larger than the broker takes"))
        case .subscriptionRefused(let filter, let error):
            log.error("The broker refuses the subscription \(filter); allow it in its access control list: \(error)")
        case .message(let message): receive(message, entry)
        }
    }

    private func brokerDidConnect() {
        session.connected()
        log.notice("Connected to \(broker.place) as \(name)")
        if isOnline {
            publishStatus()
            publishSoon()
        } else {
            probeName()
        }
    }

    private func receive(_ message: BrokerMessage, _ entry: BrokerMailbox.Entry) {
        guard message.payload.count <= GatewayLimits.packet else {
            return warnings.dropped("messages that are too large", topic: message.topic)
        }
        switch entry.kind {
        case .status(gateway: name): receiveStatus(message)
        case .request(name, let user): receiveRequest(message, from: user, arrival: entry.arrival)
        case .response(client: name, gateway: name): receiveProbeResponse(message)
        default: warnings.dropped("messages with a topic that is not this gateway's", topic: message.topic)
        }
    }

    // MARK: Status

    func status(_ state: GatewayStatus.State) -> GatewayStatus {
        var status = GatewayStatus(state: state, instance: instance)
        guard state == .online else { return status }
        status.software = ShortText("CoreBlueZ \(CentralManager.version)")
        status.adapter = central.adapter?.address
        status.powered = isPowered
        status.slots = configuration.slots
        status.free = max(0, configuration.slots - leases.count)
        status.links = leases.count > 0 ? leases.leases.map(\.device) : nil
        return status
    }

    func statusMessage(_ state: GatewayStatus.State) -> BrokerMessage {
        // A status is far smaller than its limit.
        let payload = (try? status(state).payload()) ?? []
        return BrokerMessage(topic: topics.status(name), payload: payload, quality: .atLeastOnce, isRetained: true)
    }

    /// Publishes the status soon, if it has changed.
    func statusDidChange() {
        guard isOnline, !isStatusDue else { return }
        isStatusDue = true
        BluetoothActor.perform { [weak self] in
            guard let self else { return }
            self.isStatusDue = false
            if self.status(.online) != self.lastStatus { self.publishStatus() }
        }
    }

    /// Publishes the status later. Without it the gateway is not used, and a broker that was full may then have space.
    func publishStatusLater() {
        guard isOnline, statusRetry == nil else { return }
        statusRetry = BluetoothActor.after(.seconds(2)) { [weak self] in
            self?.statusRetry = nil
            self?.publishStatus()
        }
    }

    func publishStatus() {
        guard isOnline, isConnected else { return }
        lastStatus = status(.online)
        broker.publish(statusMessage(.online))
    }
}
