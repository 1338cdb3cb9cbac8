import BlueZValues

/// The other end of a link on which a database is served.
@BlueZServerActor package protocol DatabaseClient: AnyObject {
    /// The security of the link.
    var security: LinkSecurity { get }

    /// A notification was sent. The handle is that of the value.
    func notified(_ value: [UInt8], from handle: UInt16)

    /// An indication was sent. The client confirms it by `DatabaseServer.confirm()`, now or later.
    func indicated(_ value: [UInt8], from handle: UInt16)

    /// An indication was not confirmed in time, so that bluetoothd drops the link.
    func timedOut()
}

/// A local database on one link: the requests of its other end, and notifications. Modelled on
/// src/shared/gatt-server.c. The other end sends one request at a time.
@BlueZServerActor package final class DatabaseServer {
    package typealias Completion = @BlueZServerActor (Result<[UInt8], ATTError>) -> Void

    struct PreparedWrite {
        let handle: UInt16
        let offset: UInt16
        var value: [UInt8]
        let isReliable: Bool
    }

    private struct Indication {
        let value: [UInt8]
        let handle: UInt16
        let confirmed: @BlueZServerActor () -> Void
    }

    let identity: DeviceIdentity
    let database: LocalDatabase
    private weak var client: (any DatabaseClient)?
    /// The ATT MTU in bytes.
    package private(set) var mtu: Int
    private(set) var isOpen = true
    var prepared: [PreparedWrite] = []
    private var indications: [Indication] = []
    private var confirmationTimer: BlueZServerActor.ScheduledCall?

    init(_ database: LocalDatabase, _ client: any DatabaseClient, _ identity: DeviceIdentity, mtu: Int) {
        self.database = database
        self.client = client
        self.identity = identity
        self.mtu = mtu
    }

    /// The device of bluetoothd for the other end.
    var device: Device? { database.adapter?.device(at: identity.address) }
    var security: LinkSecurity { client?.security ?? .none }

    /// exchange_mtu_cb(): the smaller one of both, at least 23 and at most 517.
    package func exchangeMTU(_ other: Int) {
        mtu = max(23, min(other, 517))
    }

    /// The services that the other end finds.
    package var discovery: Discovery { database.discovery }

    /// Reads an attribute. With an offset, it is a read blob request.
    package func read(_ handle: UInt16, offset: UInt16 = 0, _ completion: @escaping Completion) {
        guard isOpen else { return completion(.failure(.unlikelyError)) }
        guard let attribute = database.attribute(handle) else { return completion(.failure(.invalidHandle)) }
        if let error = attribute.permissions.error(reading: true, over: security) {
            return completion(.failure(error))
        }
        let request = LocalRequest(.read, offset: offset, on: self) { [weak self] result in
            guard let self, self.isOpen else { return completion(.failure(.unlikelyError)) }
            completion(result.map { Array($0.prefix(self.mtu - 1)) })
        }
        attribute.read(request, timeout: database.timeout)
    }

    /// Sends a notification of at most MTU - 3 bytes.
    func notify(_ value: [UInt8], from handle: UInt16) {
        guard isOpen else { return }
        client?.notified(Array(value.prefix(mtu - 3)), from: handle)
    }

    /// Sends an indication when all earlier ones are confirmed.
    func indicate(_ value: [UInt8], from handle: UInt16, confirmed: @escaping @BlueZServerActor () -> Void) {
        guard isOpen else { return }
        indications.append(
            Indication(value: Array(value.prefix(mtu - 3)), handle: handle, confirmed: confirmed))
        if indications.count == 1 { sendIndication() }
    }

    private func sendIndication() {
        guard let indication = indications.first, isOpen else { return }
        let timeout = database.settings?.timing.attTransaction ?? .seconds(30)
        confirmationTimer = BlueZServerActor.schedule(after: timeout) { [weak self] in self?.client?.timedOut() }
        client?.indicated(indication.value, from: indication.handle)
    }

    /// Confirms the indication that was sent last.
    package func confirm() {
        guard isOpen, let timer = confirmationTimer, !indications.isEmpty else { return }
        timer.cancel()
        confirmationTimer = nil
        let indication = indications.removeFirst()
        indication.confirmed()
        sendIndication()
    }

    /// Ends the use of the link.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        confirmationTimer?.cancel()
        confirmationTimer = nil
        indications.removeAll()
        prepared.removeAll()
        database.disconnected(self)
    }
}
