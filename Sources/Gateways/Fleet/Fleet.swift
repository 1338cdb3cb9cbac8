import BlueZDBus
import BlueZServer
import GatewayProtocol
import Logging

/// A BlueZ service on a private bus, with the devices that gateways receive.
///
/// The gateways and the fleet communicate through an MQTT broker. To use the fleet with any BlueZ client, set
/// `DBUS_SYSTEM_BUS_ADDRESS` to its `address`. It needs `dbus-daemon`.
///
/// The client gets the results of a gateway's bluetoothd unchanged. A request without a response fails with
/// `org.freedesktop.DBus.Error.Timeout`. Whether it was performed is then unknown, and it is not repeated.
///
/// ```swift
/// let fleet = try await Fleet(configuration: configuration, broker: broker)
/// print("DBUS_SYSTEM_BUS_ADDRESS=\(fleet.address)")
/// let end = await fleet.run()
/// ```
@BlueZServerActor public final class Fleet {
    /// The address of the bus, for `DBUS_SYSTEM_BUS_ADDRESS`.
    public nonisolated let address: String
    /// The properties with which the fleet was created.
    public nonisolated let configuration: FleetConfiguration

    let client: GatewayName
    let topics: Topics
    let broker: any Broker
    private(set) var gateways: [GatewayName: RemoteGateway] = [:]
    private var session = BrokerSession<FleetEnd>()
    var isConnected: Bool { session.isConnected }
    let daemon: Daemon
    private let bus: PrivateBus
    private(set) var adapterProvider: (any AdapterProvider)?
    /// Logs dropped messages, each kind at most once a minute, with the number of repetitions.
    let warnings = RateLimitedLog(log, on: BlueZServerActor.loop)
    private var otherVersions: Set<GatewayName> = []
    private(set) var mailbox: BrokerMailbox?
    private var hasRun = false
    /// The pending calls of `waitForGateway`.
    private var gatewayWaiters: [AsyncStream<Void>.Continuation] = []
    /// The scheduled call that marks the gateways as offline because the broker is away.
    private var brokerAbsence: BlueZServerActor.ScheduledCall?
    /// The number of bytes of each gateway's objects.
    private(set) var objects = FairShare<GatewayName>(limit: GatewayLimits.objectBytes)

    /// Creates a fleet, which starts a private bus and owns `org.bluez` on it. The connection to the broker begins with
    /// `run`.
    ///
    /// - Parameters:
    ///   - configuration: the fleet's properties.
    ///   - broker: a broker that has not been started.
    /// - Throws: `DBusError` if no bus can be started, and `BrokerError` with the code `configuration` if the prefix,
    ///   the lease or the name cannot be used.
    public init(configuration: FleetConfiguration, broker: any Broker) async throws {
        guard GatewayLimits.lease.contains(configuration.lease) else {
            throw BrokerError(.configuration, "The lease must last from 1 s to 600 s")
        }
        guard let client = configuration.name.client() else {
            throw BrokerError(.configuration, "The name of a fleet may have 55 characters")
        }
        self.configuration = configuration
        topics = try Topics(prefix: configuration.prefix)
        self.broker = broker
        self.client = client
        bus = try PrivateBus()
        address = bus.address
        daemon = Daemon(timing: DaemonTiming(), isExperimental: configuration.isExperimental)
        adapterProvider = configuration.adapters == .each ? AdapterForEach(daemon) : try AdapterForAll(daemon, self)
        try await daemon.start(on: address)
    }

    isolated deinit { daemon.stop() }

    /// Runs the fleet until it ends. Call it once; later calls return immediately.
    ///
    /// - Returns: the reason why the fleet has ended. By then, all its links have ended, and the bus is empty.
    public func run() async -> FleetEnd {
        guard !hasRun else { return session.end ?? .ended }
        hasRun = true
        do throws(BrokerError) {
            try listen()
        } catch {
            session.finish(.refused(error))
        }
        await withCheckedContinuation { session.atEnd(resume: $0) }
        for gateway in gateways.values { gateway.end() }
        await broker.stop(nil)
        brokerAbsence?.cancel()
        for waiter in gatewayWaiters { waiter.finish() }
        mailbox = nil
        session.closed()
        daemon.stop()
        return session.end ?? .ended
    }

    /// Ends the fleet. `run` returns soon.
    public func end() {
        session.finish(.ended)
    }

    /// Waits until a gateway is online with its Bluetooth on, or until the timeout expires. Before that the adapter is
    /// off, so a client that starts too early would fail.
    public func waitForGateway(timeout: Duration) async {
        guard !gateways.values.contains(where: { $0.isUsable }), session.end == nil else { return }
        let (stream, waiter) = AsyncStream.makeStream(of: Void.self)
        gatewayWaiters.append(waiter)
        let timer = BlueZServerActor.schedule(after: timeout) { waiter.finish() }
        for await _ in stream {}
        timer.cancel()
    }

    // MARK: Reports of the broker

    private func listen() throws(BrokerError) {
        let mailbox = BrokerMailbox(topics) { [weak self] in
            BlueZServerActor.schedule(after: .zero) { self?.emptyMailbox() }
        }
        self.mailbox = mailbox
        try broker.start(will: nil, subscriptions: topics.subscriptions(client: client), handler: mailbox.put)
    }

    private func emptyMailbox() {
        guard let contents = mailbox?.take() else { return }
        for entry in contents.entries { handle(entry) }
        warnings.warn("Messages came too fast and were dropped", count: contents.dropped)
    }

    private func handle(_ entry: BrokerMailbox.Entry) {
        switch entry.event {
        case .connected:
            session.connected()
            brokerAbsence?.cancel()
            brokerAbsence = nil
            log.notice("Connected to \(broker.place) as \(client)")
            for gateway in gateways.values { gateway.brokerReturned() }
        case .disconnected(let error):
            if let text = session.disconnected(error) { log.warning("\(text)") }
            awaitBroker()
        case .refused(let error):
            session.closed()
            session.finish(.refused(error))
        case .publishRefused(let topic, let correlation, let error):
            if error.code != .notConnected { warnings.warn("A message to \(topic) was not published: \(error)") }
            if case .request(let name, _)? = topics.kind(of: topic),
                let id = correlation.flatMap(Identifier.init(bytes:))
            {
                gateways[name]?.wasNotPublished(id, error)
            }
        case .subscriptionRefused(let filter, let error):
            log.error("The broker refuses the subscription \(filter): \(error)")
        case .message(let message):
            do throws(MessageError) {
                guard let kind = entry.kind else { throw MessageError("Its topic is not known") }
                try handle(message, kind, entry.arrival)
            } catch {
                warnings.warn("A message was dropped: \(error)")
            }
        }
    }

    private func handle(
        _ message: BrokerMessage, _ kind: Topics.Kind, _ arrival: BootInstant
    ) throws(MessageError) {
        switch kind {
        case .status(let name):
            // The retained status of an unused gateway was removed.
            guard !message.payload.isEmpty else {
                gateways[name]?.statusRemoved()
                return
            }
            let status = try GatewayStatus(payload: message.payload)
            guard status.version == Topics.version else { return recordOtherVersion(of: name) }
            guard status.state == .online || gateways[name] != nil else { return }
            try gateway(name).received(status, isNew: !message.isRetained)
        case .otherVersion(_, let name): recordOtherVersion(of: name)
        case .advertisement(let name, let device):
            guard !message.isRetained, let gateway = gateways[name], gateway.isOnline else { return }
            let advertisement = try GatewayAdvertisement(payload: message.payload)
            guard advertisement.device == device, advertisement.instance == gateway.instance else {
                throw MessageError("The advertisement is not from the gateway's instance")
            }
            adapterProvider?.heard(advertisement, by: gateway)
        case .event(let name, let client):
            guard client == self.client, !message.isRetained, let gateway = gateways[name] else { return }
            gateway.received(try GatewayEvent(payload: message.payload))
        case .response(let client, let name):
            guard client == self.client, !message.isRetained, let gateway = gateways[name] else { return }
            try gateway.received(response: message, arrival)
        case .request: throw MessageError("It is for a gateway")
        }
    }

    /// Waits for the broker. Without it, no lease can be renewed, so after the longest one no gateway can be reached.
    private func awaitBroker() {
        guard brokerAbsence == nil else { return }
        brokerAbsence = BlueZServerActor.schedule(after: configuration.lease) { [weak self] in
            guard let self else { return }
            for gateway in self.gateways.values { gateway.brokerIsAway() }
        }
    }

    /// Called when a gateway's status has changed.
    func changed(_ gateway: RemoteGateway) {
        adapterProvider?.changed(gateway)
        guard gateway.isUsable else { return }
        for waiter in gatewayWaiters { waiter.finish() }
        gatewayWaiters.removeAll()
    }

    private func recordOtherVersion(of name: GatewayName) {
        guard otherVersions.count < GatewayLimits.gateways, otherVersions.insert(name).inserted else { return }
        log.error("The gateway \(name) uses another version of the protocol than \(Topics.version)")
    }

    private func gateway(_ name: GatewayName) throws(MessageError) -> RemoteGateway {
        if let known = gateways[name] { return known }
        if gateways.count >= configuration.gatewayLimit { try forgetGateway() }
        let gateway = RemoteGateway(name, self)
        gateways[name] = gateway
        return gateway
    }

    /// Makes space for another gateway.
    private func forgetGateway() throws(MessageError) {
        let offline = gateways.values.compactMap { gateway in gateway.offlineSince.map { (gateway, since: $0) } }
        guard let (gateway, _) = offline.min(by: { $0.since < $1.since }) else {
            throw MessageError("There are \(configuration.gatewayLimit) gateways online")
        }
        gateways[gateway.name] = nil
        adapterProvider?.forgot(gateway)
    }

    // MARK: Space for objects

    /// Reserves space for objects of a gateway's devices.
    func reserve(_ bytes: Int, for name: GatewayName) -> Bool {
        guard !objects.take(bytes, for: name) else { return true }
        warnings.warn("The gateway \(name) has more devices or attributes than there is space for")
        return false
    }

    /// Releases reserved space.
    func release(_ bytes: Int, for name: GatewayName) {
        objects.giveBack(bytes, for: name)
    }
}

/// The log of all fleets of a process. Text from other machines is escaped.
let log = Logger(escapingWithLabel: "CoreBlueZ.Fleet")
