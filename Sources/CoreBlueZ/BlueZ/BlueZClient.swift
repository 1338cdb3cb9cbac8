import DBus

/// One connection to bluetoothd and one mirror per process and bus address, shared by all central managers there: BlueZ
/// keys scan sessions and subscriptions by the connection's name, and sends each value once per subscribed connection.
@BluetoothActor final class BlueZClient {
    /// Whether bluetoothd can be used.
    enum Availability {
        case unknown
        case ready
        case unavailable(BluetoothError)
        case lost(BluetoothError)
    }

    private struct Weak {
        weak var client: BlueZClient?
    }

    private static var clients: [String: Weak] = [:]

    /// The client of a bus, made where there is none.
    static func shared(_ address: BusAddress) -> BlueZClient {
        let key = address.description
        if let client = clients[key]?.client { return client }
        let client = BlueZClient(address)
        clients[key] = Weak(client: client)
        client.connect()
        return client
    }

    let address: BusAddress
    let mirror = Mirror()
    let queue = OperationQueue()
    let gate = CallGate()
    private let turns = OperationRegistry()
    /// The devices whose link bluetoothd is about to end: for two seconds it takes the old link for a new one
    /// (src/device.c: DISCONNECT_TIMER). Not for ever: the reply or the signal may never come.
    private var disconnecting: [ObjectPath: ScheduledCall] = [:]
    /// Whoever waits for the objects of a device's services.
    var servicesWaiters: [ObjectPath: [@BluetoothActor (BluetoothError?) -> Void]] = [:]
    lazy var channels = ValueChannels(self)
    lazy var agent = AgentRegistration(self)
    /// Attributes whose acquired socket was closed just now: bluetoothd may not have seen that yet.
    var releasedSockets: Set<ObjectPath> = []
    private(set) var availability = Availability.unknown
    private(set) var connection: Connection?
    private(set) var owner: String?
    private var discoveries: [ObjectPath: Discovery] = [:]
    private var monitors: [ObjectIdentifier: PassiveMonitor] = [:]
    private var observers: [ObjectIdentifier: WeakManager] = [:]
    private var retry: ScheduledCall?
    private lazy var retryDelay = limits.retry
    private var loss: ScheduledCall?
    var limits = Limits.initial
    /// Counts bluetoothd's lives, so that an answer to an earlier one is not taken for this one's.
    private(set) var generation = 0

    private struct WeakManager {
        weak var manager: CentralManager?
    }

    private init(_ address: BusAddress) {
        self.address = address
    }

    isolated deinit {
        retry?.cancel()
        loss?.cancel()
        connection?.close()
        if Self.clients[address.description]?.client == nil { Self.clients[address.description] = nil }
    }

    func add(_ manager: CentralManager) {
        observers[ObjectIdentifier(manager)] = WeakManager(manager: manager)
    }

    func remove(_ identifier: ObjectIdentifier) {
        observers[identifier] = nil
    }

    var managers: [CentralManager] {
        observers.values.compactMap(\.manager)
    }

    /// The scan sessions on an adapter.
    func discovery(on adapter: ObjectPath) -> Discovery {
        if let discovery = discoveries[adapter] { return discovery }
        let discovery = Discovery(adapter: adapter, client: self)
        discoveries[adapter] = discovery
        return discovery
    }

    /// Lets attempts to connect begin one after another: a controller that looks for one peripheral may lose the link
    /// that it is just making to another. One that takes long goes on beside the next, for a peripheral that is away
    /// must not keep all others from connecting.
    func takeTurn(
        on adapter: ObjectPath,
        for operation: Operation<Void>,
        _ body: @escaping @BluetoothActor () -> Void
    ) {
        let turn = Operation<Void>("The turn", on: nil, needsConnection: false, limit: nil, in: turns) { _ in }
        operation.whenEnded { _ in turn.succeed(()) }
        queue.enqueue(turn, at: adapter, waitingAtMost: .seconds(86_400)) { [limits] in
            let token = BluetoothActor.after(limits.connectTurn) { [weak turn] in turn?.succeed(()) }
            turn.whenEnded { _ in token.cancel() }
            body()
        }
    }

    /// Whether there is a link to the device that has the object, as far as bluetoothd has reported.
    func isConnected(_ path: ObjectPath) -> Bool {
        mirror.device(above: path).flatMap { mirror.devices[$0] }?.isConnected == true
    }

    func isDisconnecting(_ device: ObjectPath) -> Bool { disconnecting[device] != nil }

    func markDisconnecting(_ device: ObjectPath) {
        clearDisconnecting(device)
        disconnecting[device] = BluetoothActor.after(limits.disconnect) { [weak self] in
            self?.clearDisconnecting(device)
        }
    }

    func clearDisconnecting(_ device: ObjectPath) {
        disconnecting.removeValue(forKey: device)?.cancel()
    }

    func endDiscovery(on adapter: ObjectPath, _ error: BluetoothError) {
        discoveries.removeValue(forKey: adapter)?.end(error)
        for monitor in monitors.values where monitor.isOn(adapter) { monitor.fail(error) }
    }

    func add(_ monitor: PassiveMonitor) { monitors[ObjectIdentifier(monitor)] = monitor }

    func remove(_ monitor: PassiveMonitor) { monitors[ObjectIdentifier(monitor)] = nil }

    // MARK: Connecting

    private func connect() {
        retry = nil
        do throws(DBusError) {
            let connection = try Connection(to: address, loop: BluetoothActor.loop) { [weak self] events in
                BluetoothActor.assumeIsolated { self?.connection?.turn(events) }
            }
            self.connection = connection
            connection.signalHandler = { [weak self] message in self?.receive(message) }
            connection.disconnectHandler = { [weak self] error in self?.loseBus(error) }
            connection.hello(deadline: limits.bus) { [weak self, weak connection] result in
                guard let self, let connection, connection === self.connection else { return }
                switch result {
                case .success: self.channels.restoreRule()
                case .failure(let error): self.loseBus(error)
                }
            }
            BluetoothActor.later { [weak self, weak connection] in
                if let self, let connection, connection === self.connection { self.introduce() }
            }
        } catch {
            loseBus(error)
        }
    }

    /// The rules come first: what happens from here on is heard, before or after the snapshot. Nothing waits for an
    /// answer: a bus takes one message after the other and answers in that order, bluetoothd after it.
    private func introduce() {
        guard let connection else { return }
        for rule in BlueZ.matchRules {
            connection.addMatch(rule, deadline: limits.bus) { [weak self, weak connection] error in
                guard let self, let error, let connection, connection === self.connection else { return }
                // The loss of the bus is told by itself.
                guard error.name != DBusError.Name.disconnected else { return }
                // Without the rule the mirror would not be told of changes: better none than a wrong one.
                log.error("The bus refuses a match rule", metadata: ["rule": "\(rule)", "error": "\(error)"])
                self.loseBus(error, advice: BluetoothError.rulesAdvice)
            }
        }
        connection.getNameOwner(BlueZ.service, deadline: limits.bus) { [weak self, weak connection] result in
            guard let self, let connection, connection === self.connection else { return }
            switch result {
            case .success(let owner): self.ownerIs(owner, hasSnapshot: true)
            case .failure(let error): self.loseBus(error)
            }
        }
        takeSnapshot()
    }

    private func loseBus(_ error: DBusError, advice: String? = nil) {
        // First: what was under way ends with the connection, and must not be taken for a second loss.
        let lost = connection
        connection = nil
        generation += 1
        lost?.close()
        let isDenied = error.name == DBusError.Name.authenticationFailed || error.name == DBusError.Name.accessDenied
        let busAdvice = advice ?? (owner == nil ? BluetoothError.busAdvice : BluetoothError.busLostAdvice)
        let reason = BluetoothError(
            isDenied ? .accessDenied : .busUnavailable, isDenied ? BluetoothError.accessAdvice : busAdvice, from: error
        )
        // An address stays what it is.
        guard error.name != DBusError.Name.notSupported else {
            return lose(BluetoothError(.busUnavailable, error.message))
        }
        lose(reason)
        retryLater { $0.connect() }
    }

    private func retryLater(_ body: @escaping @BluetoothActor (BlueZClient) -> Void) {
        retry?.cancel()
        retry = BluetoothActor.after(retryDelay) { [weak self] in
            guard let self else { return }
            self.retry = nil
            body(self)
        }
        retryDelay = min(retryDelay * 2, .seconds(30))
    }

    // MARK: bluetoothd's lives

    /// Called with what the bus says of org.bluez: at the start, and whenever it changes.
    ///
    /// - Parameter hasSnapshot: whether a snapshot is under way already.
    func ownerIs(_ newOwner: String?, hasSnapshot: Bool = false) {
        guard newOwner != owner || newOwner == nil else { return }
        let hadOwner = owner != nil
        owner = newOwner
        if newOwner != nil, case .unavailable = availability {
            availability = .unknown
            announce()
        }
        if hadOwner || newOwner == nil {
            let advice = hadOwner ? BluetoothError.daemonStoppedAdvice : BluetoothError.daemonAdvice
            lose(BluetoothError(.daemonUnavailable, advice))
        }
        if newOwner != nil, !hasSnapshot { takeSnapshot() }
    }

    private func takeSnapshot() {
        let generation = generation
        refresh { [weak self] error in
            guard let self, generation == self.generation, !self.availability.isReady else { return }
            self.loss?.cancel()
            self.loss = nil
            if let error {
                self.availability = .unavailable(error)
                self.announce()
                self.retryLater { $0.takeSnapshot() }
            } else {
                self.retryDelay = self.limits.retry
                self.availability = .ready
                for manager in self.managers { manager.releaseGone() }
                self.agent.daemonStarted()
                self.announce()
            }
        }
    }

    /// Ends everything that bluetoothd's life, or the bus's, carried.
    private func lose(_ error: BluetoothError) {
        generation += 1
        if connection == nil { owner = nil }
        retry?.cancel()
        retry = nil
        noteLoss(error)
        let devices = mirror.devices.filter(\.value.isConnected).map(\.key)
        mirror.removeAll()
        channels.removeAll()
        agent.daemonEnded()
        for timer in disconnecting.values { timer.cancel() }
        disconnecting = [:]
        let waiters = servicesWaiters
        servicesWaiters = [:]
        for waiter in waiters.values.joined() { waiter(error) }
        let discoveries = discoveries
        self.discoveries = [:]
        for discovery in discoveries.values { discovery.end(error) }
        for monitor in monitors.values { monitor.fail(error) }
        for manager in managers { manager.clientWasLost(devices, error) }
        announce()
    }

    /// What was there is mostly back in a moment; until then its loss is a passing one.
    private func noteLoss(_ error: BluetoothError) {
        if availability.isReady {
            loss?.cancel()
            loss = BluetoothActor.after(limits.loss) { [weak self] in
                guard let self, case .lost(let error) = self.availability else { return }
                self.availability = .unavailable(error)
                self.announce()
            }
            availability = .lost(error)
        } else {
            availability = availability.isLost ? .lost(error) : .unavailable(error)
        }
    }

    private func announce() {
        for manager in managers { manager.updateState() }
    }
}

extension BlueZClient.Availability {
    var isReady: Bool { if case .ready = self { true } else { false } }
    var isLost: Bool { if case .lost = self { true } else { false } }
}
