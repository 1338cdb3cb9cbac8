import BlueZDBus

/// A connection to bluetoothd with a mirror of its objects. There is one per process and bus address, shared by all
/// central managers, because BlueZ identifies scan sessions and subscriptions by the connection's name, and sends each
/// value once per subscribed connection.
@BluetoothActor package final class BlueZClient {
    /// Whether bluetoothd can be used.
    package enum Availability {
        case unknown
        case ready
        case unavailable(BluetoothError)
        case lost(BluetoothError)
    }

    private struct Weak {
        weak var client: BlueZClient?
    }

    private static var clients: [String: Weak] = [:]

    /// The clients of all buses.
    package static var present: [BlueZClient] { clients.values.compactMap(\.client) }

    /// Returns the client of a bus, and creates it if there is none.
    package static func shared(_ address: BusAddress) -> BlueZClient {
        let key = address.description
        if let client = clients[key]?.client { return client }
        let client = BlueZClient(address)
        clients[key] = Weak(client: client)
        client.connect()
        return client
    }

    let address: BusAddress
    package let mirror = Mirror()
    let queues = RequestQueues()
    let limiters: CallLimiters
    package let connectQueue = ConnectQueue()
    /// Completions that wait for the objects of a device's services.
    var servicesWaiters: [ObjectPath: [@BluetoothActor (BluetoothError?) -> Void]] = [:]
    package let channels = ValueChannels()
    package private(set) var registrations: [any Registration] = []
    /// The attributes whose acquired socket has just been closed, which bluetoothd may not have noticed yet.
    package var releasedSockets: Set<ObjectPath> = []
    package var availability = Availability.unknown
    package internal(set) var connection: Connection? {
        didSet { for kind in CallLimiter.Kind.allCases { limiters[kind].connection = connection } }
    }
    package var owner: String?
    var discoveries: [ObjectPath: Discovery] = [:]
    var monitors: [ObjectIdentifier: PassiveMonitor] = [:]
    var observers: [WeakObserver] = []
    /// The calls that make a link or pair, until bluetoothd has replied.
    var linkCalls: [ObjectPath: [LinkCall]] = [:]
    var retry: ScheduledCall?
    var retries = 0
    var loss: ScheduledCall?
    package var timeouts = Timeouts.initial
    /// The number of the current instance of bluetoothd, so that a reply of an earlier one is not taken for its reply.
    var generation = 0

    /// An object, because a weak reference is slow to copy.
    final class WeakObserver {
        let key: ObjectIdentifier
        private(set) weak var observer: (any ClientObserver)?

        init(_ observer: any ClientObserver) {
            key = ObjectIdentifier(observer)
            self.observer = observer
        }
    }

    private init(_ address: BusAddress) {
        self.address = address
        limiters = CallLimiters(channels)
        channels.client = self
        for kind in CallLimiter.Kind.allCases { limiters[kind].client = self }
    }

    isolated deinit {
        retry?.cancel()
        loss?.cancel()
        connection?.close()
        for kind in CallLimiter.Kind.allCases { limiters[kind].connection = nil }
        if Self.clients[address.description]?.client == nil { Self.clients[address.description] = nil }
    }

    package func add(_ observer: any ClientObserver) {
        observers.append(WeakObserver(observer))
    }

    package func remove(_ identifier: ObjectIdentifier) {
        observers.removeAll { $0.key == identifier }
    }

    package var presentObservers: [any ClientObserver] {
        observers.compactMap(\.observer)
    }

    /// Returns the registration of a kind, and creates it on first use.
    package func registration<Kind: Registration>(_: Kind.Type = Kind.self) -> Kind {
        for case let registration as Kind in registrations { return registration }
        let registration = Kind(self)
        registrations.append(registration)
        return registration
    }

    /// Returns the scans on an adapter.
    package func discovery(on adapter: ObjectPath) -> Discovery {
        if let discovery = discoveries[adapter] { return discovery }
        let discovery = Discovery(adapter: adapter, client: self)
        discoveries[adapter] = discovery
        return discovery
    }

    /// Returns whether the device to which an object belongs is connected, as far as bluetoothd has reported.
    package func isConnected(_ path: ObjectPath) -> Bool {
        mirror.device(above: path).flatMap { mirror.devices[$0] }?.isConnected == true
    }

    func endDiscovery(on adapter: ObjectPath, _ error: BluetoothError) {
        discoveries.removeValue(forKey: adapter)?.end(error)
        for monitor in monitors.values where monitor.isOn(adapter) { monitor.fail(error) }
    }

    func add(_ monitor: PassiveMonitor) { monitors[ObjectIdentifier(monitor)] = monitor }

    func remove(_ monitor: PassiveMonitor) { monitors[ObjectIdentifier(monitor)] = nil }
}
