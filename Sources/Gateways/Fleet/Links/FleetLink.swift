import BlueZDBus
import BlueZJSONLine
import BlueZServer
import GatewayProtocol

/// A leased link that a gateway has made for this fleet.
@BlueZServerActor final class FleetLink {
    private enum Rediscovery {
        case none, underWay
        /// The discovery is in progress, but its result may be older than the latest change.
        case again
    }

    let reference: LinkReference
    let gateway: RemoteGateway
    weak var host: (any LinkHost)?
    /// The link's MTU. It is ATT's maximum until the services are known, whose description contains the actual MTU.
    var mtu = 517
    private(set) var isOver = false
    /// Whether the gateway has ended the link on request.
    var hasLeft = false
    /// The characteristics whose notifications are wanted.
    var subscriptions: Set<UInt16> = []
    private var rediscovery = Rediscovery.none
    /// Whether events were lost since the services were requested.
    private var hasMissed = false
    private(set) var requests: [Int: PendingRequest] = [:]
    private var lastRequest = 0
    private var sequence: UInt64 = 0
    private var announced: UInt64 = 0
    private var leaseEnd: BootInstant
    private var leaseTimer: BlueZServerActor.ScheduledCall?

    init(_ reference: LinkReference, through gateway: RemoteGateway, to host: any LinkHost) {
        self.reference = reference
        self.gateway = gateway
        self.host = host
        leaseEnd = .now.advanced(by: gateway.timeouts.confirmation)
        watchLease()
    }

    // MARK: The lease

    /// Called when a renewal was confirmed.
    ///
    /// - Parameters:
    ///   - end: the earliest time at which the lease ends.
    ///   - latest: the number of the newest event.
    func confirmed(until end: BootInstant, latest: UInt64) {
        leaseEnd = max(leaseEnd, end)
        watchLease()
        // Events that the last renewal announced should have arrived by now.
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
        // The event was delivered twice.
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

    /// Handles lost events up to this one. One of them may have reported changed services, or the end of notifications.
    private func missed(_ count: UInt64, last: UInt64) {
        sequence = max(sequence, last)
        gateway.warn("events of \(reference.device) are lost", count: Int(clamping: count))
        hasMissed = true
        rediscover()
    }

    /// Requests the services, with one request at a time because a broker that loses events is busy.
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
            // A refused subscription is not repeated. In other cases, the client must be informed that values are
            // missing.
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
    @discardableResult func request<Value: JSONObject & Hashable>(
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

    /// Ends the link, whose end the gateway has noticed or will notice.
    func lose() {
        guard !isOver else { return }
        end()
        host?.linkLost(.unknown)
        endRequests()
    }

    /// Ends the link, because the state of the device is unknown, and the gateway may no longer have the link.
    func giveUp() {
        guard !isOver else { return }
        leave()
        lose()
    }

    /// Called when the host no longer uses the link.
    func close() {
        leave()
        end()
        endRequests()
    }

    /// Ends the link on the gateway without waiting for a response.
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

    /// Fails the pending requests in order, with 0x0e as in bluetoothd's ATT.
    private func endRequests() {
        let all = requests.sorted { $0.key < $1.key }.map(\.value)
        requests.removeAll()
        for request in all { gateway.drop(request, .lost) }
    }
}
