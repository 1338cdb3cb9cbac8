import BlueZDBus
import BlueZValues

/// The attributes that an adapter offers to centrals: bluetoothd's own, and those of applications. Modelled on
/// src/gatt-database.c and src/shared/gatt-db.c.
@BlueZServerActor package final class LocalDatabase {
    /// The state of a central: its client configurations, by the handle of the descriptor.
    @BlueZServerActor final class CentralState {
        var configurations: [UInt16: UInt16] = [:]
        /// Client Supported Features.
        var features: UInt8 = 0
        /// The handles of a Service Changed indication for when the central, which is bonded, is connected again.
        var missedChange: ClosedRange<UInt16>?
    }

    private(set) weak var adapter: Adapter?
    private(set) var services: [DatabaseService] = []
    /// The links on which centrals, or peripherals, use the database.
    private(set) var servers: [DatabaseServer] = []
    var states: [DeviceIdentity: CentralState] = [:]
    /// What happens when a central changes a client configuration, by the handle of the descriptor. A nil request
    /// means that the central is gone.
    var configurationHandlers: [UInt16: @BlueZServerActor (UInt16, LocalRequest?) -> ATTError?] = [:]
    var serviceChanged: (value: LocalAttribute, configuration: LocalAttribute)?
    private var nextHandle: UInt16 = 1

    init(adapter: Adapter) {
        self.adapter = adapter
    }

    var settings: DaemonSettings? { adapter?.settings }
    private var version: BlueZVersion { settings?.version ?? .v5_66 }
    var timeout: Duration { settings?.timing.attribute ?? .seconds(5) }

    /// Removes everything but bluetoothd's own services, as at its start.
    func reset() {
        services.removeAll()
        states.removeAll()
        configurationHandlers.removeAll()
        serviceChanged = nil
        nextHandle = 1
        addCoreServices()
    }

    // MARK: Services

    /// gatt_db_insert_service(): reserves handles, from the next one on if `handle` is 0. nil if they are not free.
    ///
    /// Like bluetoothd, it returns a service that is there already if it is equal, and does not notice one between the
    /// new one's ends (find_insert_loc).
    func addService(
        _ uuid: BluetoothUUID, isPrimary: Bool, handle: UInt16 = 0, count: UInt16
    ) -> DatabaseService? {
        let start = handle == 0 ? nextHandle : handle
        guard let service = DatabaseService(uuid, isPrimary: isPrimary, handle: start, count: count, version) else {
            return nil
        }
        let handles = service.handles
        var index = 0
        for (position, other) in services.enumerated() {
            if other.handles.contains(handles.lowerBound) || other.handles.contains(handles.upperBound) {
                let isEqual = other.uuid == uuid && other.isPrimary == isPrimary && other.handles == handles
                return isEqual ? other : nil
            }
            if handles.upperBound < other.handles.lowerBound { break }
            index = position + 1
        }
        services.insert(service, at: index)
        // After the last handle comes 0, which centrals do not use (src/shared/gatt-db.c: last_handle, next_handle).
        if version < .v5_72 {
            nextHandle = UInt16(truncatingIfNeeded: max(Int(handles.upperBound) + 1, Int(nextHandle)))
        } else {
            nextHandle = max(handles.upperBound, nextHandle &- 1) &+ 1
        }
        return service
    }

    /// gatt_db_service_set_active()
    func activate(_ service: DatabaseService) {
        guard !service.isActive else { return }
        service.isActive = true
        adapter?.changed("UUIDs")
        sendServiceChanged(service.handles)
    }

    /// gatt_db_service_removed(): the client configurations are forgotten, and nothing else happens to them.
    func remove(_ service: DatabaseService) {
        services.removeAll { $0 === service }
        guard service.isActive else { return }
        service.isActive = false
        adapter?.changed("UUIDs")
        sendServiceChanged(service.handles)
        for state in states.values {
            state.configurations = state.configurations.filter { !service.handles.contains($0.key) }
        }
        configurationHandlers = configurationHandlers.filter { !service.handles.contains($0.key) }
    }

    /// The attribute with the handle, if there is one.
    func attribute(_ handle: UInt16) -> LocalAttribute? {
        guard handle > 0 else { return nil }
        return services.first { $0.handles.contains(handle) }?.attribute(handle)
    }

    /// The UUIDs of the services, in order and each once.
    var uuids: [BluetoothUUID] {
        services.filter(\.isActive).reduce(into: []) { if !$0.contains($1.uuid) { $0.append($1.uuid) } }
    }

    /// The database, as a central discovers it.
    var discovery: Discovery {
        Discovery(services: services.filter { $0.isActive && $0.handles.lowerBound > 0 }.map(\.description))
    }

    // MARK: Links

    /// Begins to serve the database on a link.
    package func serve(_ client: any DatabaseClient, _ identity: DeviceIdentity, mtu: Int) -> DatabaseServer {
        let server = DatabaseServer(self, client, identity, mtu: mtu)
        servers.append(server)
        if let state = states[identity], let range = state.missedChange {
            state.missedChange = nil
            // When both ends have the link.
            BlueZServerActor.schedule(after: .zero) { [weak self] in
                self?.sendServiceChanged(range, only: identity)
            }
        }
        return server
    }

    /// att_disconnected(): a bonded central's client configurations stay, those of others are switched off.
    func disconnected(_ server: DatabaseServer) {
        servers.removeAll { $0 === server }
        guard adapter?.device(at: server.identity.address)?.isBonded != true else { return }
        forget(server.identity)
    }

    /// Removes the state of a central that is neither connected nor bonded.
    func forget(_ identity: DeviceIdentity) {
        guard let state = states.removeValue(forKey: identity) else { return }
        for (handle, value) in state.configurations.sorted(by: { $0.key < $1.key }) where value != 0 {
            _ = configurationHandlers[handle]?(0, nil)
        }
    }

    func server(of identity: DeviceIdentity) -> DatabaseServer? { servers.first { $0.identity == identity } }

    func state(of identity: DeviceIdentity) -> CentralState {
        if let state = states[identity] { return state }
        let state = CentralState()
        states[identity] = state
        return state
    }
}
