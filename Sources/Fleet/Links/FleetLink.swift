import BlueZServer
import DBus
import GatewayProtocol

/// A link that a gateway has made for this fleet, under a lease.
@BlueZServerActor final class FleetLink {
    private enum Rediscovery {
        case none, underWay
        /// Under way, and what it finds may be older than the latest news.
        case again
    }

    let reference: LinkReference
    let gateway: RemoteGateway
    weak var host: (any LinkHost)?
    /// The largest of ATT until the services are known: then bluetoothd on the gateway says what a value may have.
    var mtu = 517
    private(set) var isOver = false
    /// Whether the gateway has ended it by request.
    var hasLeft = false
    /// The characteristics whose notifications are wanted.
    var subscriptions: Set<UInt16> = []
    private var rediscovery = Rediscovery.none
    /// Whether events were lost since the services were asked for.
    private var hasMissed = false
    private(set) var requests: [Int: PendingRequest] = [:]
    private var lastRequest = 0
    private var sequence: UInt64 = 0
    private var announced: UInt64 = 0
    private var leaseEnd: BootInstant
    private var leaseTimer: ScheduledCall?

    init(_ reference: LinkReference, through gateway: RemoteGateway, to host: any LinkHost) {
        self.reference = reference
        self.gateway = gateway
        self.host = host
        leaseEnd = .now.advanced(by: gateway.timeouts.confirmation)
        watchLease()
    }

    // MARK: The lease

    /// A renewal was answered.
    ///
    /// - Parameters:
    ///   - end: when the lease ends at the earliest.
    ///   - latest: the number of the newest event.
    func confirmed(until end: BootInstant, latest: UInt64) {
        leaseEnd = max(leaseEnd, end)
        watchLease()
        // Those that were announced by the last renewal have had the time of one renewal to arrive.
        if sequence < announced { missed(announced - sequence, last: announced) }
        announced = latest
    }

    private func watchLease() {
        leaseTimer?.cancel()
        leaseTimer = BlueZServerActor.schedule(after: max(.zero, leaseEnd - .now)) { [weak self] in
            guard let self, !self.isOver else { return }
            guard BootInstant.now >= self.leaseEnd else { return self.watchLease() }
            self.gateway.warn("the lease on \(self.reference.device) could not be renewed")
            self.lose()
        }
    }

    // MARK: Events

    func received(_ event: GatewayEvent) {
        guard !isOver else { return }
        // One that is delivered twice.
        guard event.sequence > sequence else { return }
        let count = event.sequence - sequence - 1
        if count > 0 { missed(count, last: event.sequence - 1) }
        sequence = event.sequence
        switch event.content {
        case .disconnected: lose()
        case .services: rediscover()
        case .changed(let state): report(state)
        case .value(let handle, let value): host?.received(value, from: handle)
        case .ended(let handle): if subscriptions.contains(handle) { subscribeAgain(handle) }
        }
    }

    /// Events up to this one are lost. One of them may have been that the services changed, or that notifications
    /// ended.
    private func missed(_ count: UInt64, last: UInt64) {
        sequence = max(sequence, last)
        gateway.warn("events of \(reference.device) are lost", count: Int(clamping: count))
        hasMissed = true
        rediscover()
    }

    /// Asks for the services, one request at a time: a broker that loses events has enough to do.
    private func rediscover() {
        guard rediscovery == .none else {
            rediscovery = .again
            return
        }
        rediscovery = .underWay
        requestDiscovery { [weak self] discovery in
            guard let self else { return }
            let isDue = self.rediscovery == .again
            self.rediscovery = .none
            guard let discovery else { return self.giveUp() }
            self.host?.servicesChanged(discovery)
            guard !self.isOver else { return }
            if self.hasMissed {
                self.hasMissed = false
                for handle in self.subscriptions.sorted() { self.subscribeAgain(handle) }
            }
            if isDue { self.rediscover() }
        }
    }

    private func subscribeAgain(_ handle: UInt16) {
        request(.subscribe(reference, handle: handle), timeout: gateway.timeouts.value) {
            [weak self] (result: Result<EmptyResult, RequestFailure>) in
            guard let self, case .failure(let failure) = result, self.subscriptions.contains(handle) else { return }
            self.gateway.warn("\(self.reference.device) does not notify any longer: \(failure)")
            // What bluetoothd refuses does not come again; otherwise the client has to know that values are missing.
            if case .refused = failure { self.subscriptions.remove(handle) } else { self.giveUp() }
        }
    }

    func report(_ state: DeviceState) {
        if let name = state.name { host?.changed(.name(Array(name.utf8))) }
        if let appearance = state.appearance { host?.changed(.appearance(appearance)) }
        if let modalias = state.modalias { host?.changed(.modalias(modalias)) }
        if let level = state.battery.flatMap(UInt8.init(exactly:)) { host?.changed(.battery(level)) }
        if let bonded = state.bonded { host?.changed(.isBonded(bonded)) }
        if let paired = state.paired { host?.changed(.isPaired(paired)) }
    }

    // MARK: Requests

    /// Sends a request that fails when the link ends.
    @discardableResult func request<Value: Codable & Hashable & Sendable>(
        _ operation: GatewayOperation, timeout: Duration,
        completion: @escaping @BlueZServerActor (Result<Value, RequestFailure>) -> Void
    ) -> PendingRequest {
        lastRequest += 1
        let key = lastRequest
        let request = gateway.request(
            operation, timeout: timeout,
            completion: { [weak self] (result: Result<Value, RequestFailure>) in
                self?.requests[key] = nil
                guard case .failure(.refused(let failure)) = result, failure.code == .notConnected else {
                    return completion(result)
                }
                self?.lose()
                completion(.failure(.lost))
            }, cancelled: { [weak self] in self?.requests[key] = nil })
        if request.isWanted { requests[key] = request }
        return request
    }

    // MARK: The end

    /// The link is gone, and the gateway knows it or will.
    func lose() {
        guard !isOver else { return }
        end()
        host?.linkLost()
        endRequests()
    }

    /// Nobody knows what the device is like now, and the gateway may not have the link any longer.
    func giveUp() {
        guard !isOver else { return }
        leave()
        lose()
    }

    /// The host has no use for the link.
    func close() {
        leave()
        end()
        endRequests()
    }

    /// Ends the link on the gateway without waiting for an answer.
    func leave() {
        guard !isOver, !hasLeft else { return }
        gateway.request(.disconnect(reference), timeout: gateway.timeouts.disconnect) {
            (_: Result<EmptyResult, RequestFailure>) in
        }
    }

    private func end() {
        isOver = true
        leaseTimer?.cancel()
        gateway.remove(self)
    }

    /// What is under way fails, in order: bluetoothd's ATT answers with 0x0e.
    private func endRequests() {
        let all = requests.sorted { $0.key < $1.key }.map(\.value)
        requests.removeAll()
        for request in all { gateway.drop(request, .lost) }
    }
}
