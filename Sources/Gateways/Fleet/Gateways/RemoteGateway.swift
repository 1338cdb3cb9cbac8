import BlueZDBus
import BlueZJSONLine
import BlueZServer
import BlueZValues
import GatewayProtocol

/// A gateway, as its status and its responses describe it.
@BlueZServerActor final class RemoteGateway {
    let name: GatewayName
    private(set) var status: GatewayStatus?
    /// The time when the gateway went offline; nil while it is online.
    private(set) var offlineSince: BootInstant? = .now
    var isOnline: Bool { offlineSince == nil }
    /// Whether the gateway is online with its Bluetooth on.
    var isUsable: Bool { isOnline && (status?.powered ?? true) }
    var links: [UInt64: FleetLink] = [:]
    /// The events of links for which the response to `connect` has not arrived.
    var early: [UInt64: [GatewayEvent]] = [:]
    var renewal: BlueZServerActor.ScheduledCall?
    private weak var fleet: Fleet?
    private var clock = GatewayClock()
    private var waiting: [PendingRequest] = []
    private var pending: [Identifier: PendingRequest] = [:]
    private var greeting: PendingRequest?
    /// The number of missing responses since the connection to the broker came back; nil when the gateway has sent
    /// something.
    private var silence: Int?
    private var absence: BlueZServerActor.ScheduledCall?
    private var lastSent = 0

    /// The maximum number of pending requests, which is more than ten links can use.
    private static let limit = 1000

    init(_ name: GatewayName, _ fleet: Fleet) {
        self.name = name
        self.fleet = fleet
    }

    var instance: Identifier? { status?.instance }
    var timeouts: FleetTimeouts { fleet?.configuration.timeouts ?? FleetTimeouts() }
    var lease: Duration { fleet?.configuration.lease ?? .seconds(15) }
    /// Whether a response to `connect` may arrive.
    var isConnecting: Bool {
        pending.values.contains { request in
            if case .connect = request.operation { true } else { false }
        }
    }

    // MARK: Status

    /// - Parameter isNew: whether the gateway has just published it.
    func received(_ status: GatewayStatus, isNew: Bool) {
        guard status.state == .online else {
            // The will of an earlier instance does not concern this one.
            if status.instance == instance { statusRemoved() }
            return
        }
        absence?.cancel()
        absence = nil
        if let instance, instance != status.instance { restarted() }
        if isNew { silence = nil }
        if !isOnline || instance != status.instance { log.notice("The gateway \(name) is online") }
        self.status = status
        offlineSince = nil
        fleet?.changed(self)
        if silence != nil { greet() }
        advance()
    }

    /// Handles the removal of the status. A gateway that reconnects is offline for a moment: the broker publishes its
    /// will, then the gateway its status.
    func statusRemoved() {
        guard isOnline, absence == nil else { return }
        absence = BlueZServerActor.schedule(after: timeouts.absence) { [weak self] in self?.left() }
    }

    /// Discards the state of the gateway's earlier instance.
    private func restarted() {
        clock = GatewayClock()
        // A response from the earlier instance no longer matters.
        dropGreeting()
        loseLinks()
        let lost = pending.values
        pending.removeAll()
        for request in lost { request.end(.unknown) }
    }

    /// Called when the broker has been away for so long that all leases have ended.
    func brokerIsAway() {
        left()
        // When the broker is back, the gateway's status may be outdated.
        silence = 0
    }

    private func left() {
        absence?.cancel()
        absence = nil
        silence = nil
        guard isOnline else { return }
        offlineSince = .now
        clock = GatewayClock()
        log.notice("The gateway \(name) is offline")
        loseLinks()
        fleet?.changed(self)
    }

    /// Called when the connection to the broker is back. A gateway that has left in the meantime may not have published
    /// a status, so it has to respond, or to publish its status.
    func brokerReturned() {
        guard isOnline else { return }
        silence = 0
        // The response to an earlier request may have been lost with the connection.
        dropGreeting()
        greet()
        advance()
    }

    private func dropGreeting() {
        guard let greeting else { return }
        greeting.cancel()
        greeting.timer?.cancel()
        pending[greeting.id] = nil
        self.greeting = nil
    }

    /// Ends everything, because the fleet ends.
    func end() {
        for link in links.values { link.leave() }
        loseLinks()
        let all = waiting + pending.values
        waiting.removeAll()
        pending.removeAll()
        for request in all { request.end(!request.isSent ? .unsent : .unknown) }
    }

    private func loseLinks() {
        early.removeAll()
        for link in links.values { link.lose() }
    }

    // MARK: Requests

    /// Sends a request when the broker and the gateway are online.
    ///
    /// - Parameters:
    ///   - completion: gets the result, unless the request is cancelled. Called once.
    ///   - unwanted: gets a result that arrives too late.
    ///   - cancelled: called if the request is cancelled.
    @discardableResult func request<Value: JSONObject & Hashable>(
        _ operation: GatewayOperation, timeout: Duration,
        completion: @escaping @BlueZServerActor (Result<Value, RequestFailure>) -> Void,
        unwanted: @escaping @BlueZServerActor (Value) -> Void = { _ in },
        cancelled: @escaping @BlueZServerActor () -> Void = {}
    ) -> PendingRequest {
        let request = PendingRequest(
            operation, deadline: .now.advanced(by: timeout), completion: completion, unwanted: unwanted
        ) { [weak self] request in
            self?.waiting.removeAll { $0 === request }
            cancelled()
        }
        guard waiting.count + pending.count < Self.limit else {
            request.end(.refused(GatewayFailure(.busy, text: "\(Self.limit) requests are under way")))
            return request
        }
        request.timer = BlueZServerActor.schedule(after: timeout) { [weak self] in self?.expired(request) }
        waiting.append(request)
        advance()
        return request
    }

    /// Ends a request whose response no longer matters.
    func drop(_ request: PendingRequest, _ failure: RequestFailure) {
        waiting.removeAll { $0 === request }
        pending[request.id] = nil
        request.end(failure)
    }

    private func expired(_ request: PendingRequest) {
        waiting.removeAll { $0 === request }
        if !request.isSent { return request.end(.unsent) }
        request.end(.unknown)
        // A late response may contain a link that is no longer wanted.
        guard case .connect = request.operation else {
            pending[request.id] = nil
            return
        }
        BlueZServerActor.schedule(after: lease) { [weak self] in self?.pending[request.id] = nil }
    }

    /// Sends waiting requests, if the gateway's clock is known.
    private func advance() {
        guard let fleet, fleet.isConnected, isOnline, !waiting.isEmpty else { return }
        guard let age = clock.age(at: .now), age <= timeouts.clock else { return greet() }
        let due = waiting
        waiting.removeAll()
        for request in due { send(request, fleet) }
    }

    /// Requests the gateway's clock.
    private func greet() {
        guard greeting == nil, let fleet, fleet.isConnected else { return }
        let greeting = PendingRequest(
            .hello, deadline: .now.advanced(by: timeouts.hello),
            completion: { [weak self] (result: Result<EmptyResult, RequestFailure>) in
                self?.greeting = nil
                if case .failure(let failure) = result { self?.greetingFailed(failure) }
            }, unwanted: { _ in }, cancelled: { _ in })
        self.greeting = greeting
        greeting.timer = BlueZServerActor.schedule(after: timeouts.hello) { [weak self] in
            self?.pending[greeting.id] = nil
            greeting.end(.unknown)
        }
        send(greeting, fleet)
    }

    /// Handles a missing response. A gateway may take a few seconds longer than the fleet to reconnect, so only the
    /// second missing response counts.
    private func greetingFailed(_ failure: RequestFailure) {
        if let silence, failure == .unknown, fleet?.isConnected == true {
            guard silence == 0 else { return left() }
            self.silence = 1
            greet()
        }
        // After a refusal, the request is repeated a little later.
        BlueZServerActor.schedule(after: .seconds(1)) { [weak self] in
            guard let self else { return }
            if self.silence != nil { self.greet() }
            self.advance()
        }
    }

    private func send(_ request: PendingRequest, _ fleet: Fleet) {
        let now = BootInstant.now
        let left = request.deadline - now
        let isHello = request.operation == .hello
        let message = GatewayRequest(
            id: request.id, instance: isHello ? nil : instance, client: fleet.client,
            notAfter: isHello ? nil : clock.notAfter(timeout: left, at: now), operation: request.operation)
        do throws(MessageError) {
            let payload = try message.payload()
            lastSent += 1
            request.send(as: lastSent)
            pending[request.id] = request
            log.debug("Request \(request.id) to \(name): \(message.operation.name)")
            fleet.broker.publish(
                BrokerMessage(
                    topic: fleet.topics.requests(name, from: fleet.client.user), payload: payload,
                    quality: .atLeastOnce,
                    responseTopic: fleet.topics.responses(fleet.client, from: name), correlation: request.id.bytes,
                    expiry: left.expirySeconds))
        } catch {
            request.end(.refused(GatewayFailure(.malformed, text: error.description)))
        }
    }

    func received(response message: BrokerMessage, _ arrival: BootInstant) throws(MessageError) {
        guard let id = message.correlation.flatMap(Identifier.init(bytes:)) else {
            throw MessageError("A response has no identifier")
        }
        // The response was delivered twice, or too late.
        guard let request = pending[id] else { return }
        let response = try request.response(message.payload)
        pending[id] = nil
        request.timer?.cancel()
        log.debug("Response \(id) from \(name)")
        if request.operation == .hello, response.instance != instance {
            // The gateway has restarted. Its status will follow.
            restarted()
            status?.instance = response.instance
        }
        if response.instance == instance {
            silence = nil
            clock.update(now: response.now, receivedAt: arrival)
        }
        response.complete()
        advance()
    }

    /// Handles a request that was not published. If the connection was lost just before, the request waits as if it had
    /// not been sent.
    func wasNotPublished(_ id: Identifier, _ error: BrokerError) {
        guard let request = pending.removeValue(forKey: id) else { return }
        guard error.code == .notConnected, request !== greeting else { return request.end(.notTaken(error)) }
        request.takeBack()
        guard request.isWanted else { return }
        let place = waiting.firstIndex { ($0.number ?? .max) > (request.number ?? 0) } ?? waiting.endIndex
        waiting.insert(request, at: place)
        // The connection may be back then.
        BlueZServerActor.schedule(after: .milliseconds(100)) { [weak self] in self?.advance() }
    }

    /// Reserves space for objects of its devices.
    func reserve(_ bytes: Int) -> Bool { fleet?.reserve(bytes, for: name) ?? false }

    /// Releases reserved space.
    func release(_ bytes: Int) { fleet?.release(bytes, for: name) }

    /// Requests that the gateway publish its devices again.
    func publishAgain() {
        request(.heard, timeout: timeouts.hello) { (_: Result<EmptyResult, RequestFailure>) in }
    }

    /// Makes bluetoothd on the gateway forget a device, if it can.
    func forget(_ device: BluetoothAddress, completion: @escaping @BlueZServerActor () -> Void) {
        request(.unpair(device), timeout: timeouts.disconnect) { (_: Result<EmptyResult, RequestFailure>) in
            completion()
        }
    }

    func warn(_ text: String, count: Int = 1) {
        fleet?.warnings.warn("The gateway \(name): \(text)", count: count)
    }
}
