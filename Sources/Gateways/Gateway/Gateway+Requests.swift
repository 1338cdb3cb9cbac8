import BlueZDBus
import BlueZJSONLine
import CoreBlueZ
import GatewayProtocol

extension Gateway {
    func receiveRequest(_ message: BrokerMessage, from user: GatewayName, arrival: BootInstant) {
        // A retained request would be delivered again after each connection.
        guard !message.isRetained else { return warnings.dropped("requests that are retained", topic: message.topic) }
        let now = BootInstant.now
        let isAllowed = mayRequest(user, at: now)
        guard isAllowed || mayRefuse(user, at: now) else { return warnings.dropped("requests that came too fast") }
        guard let key = RequestLedger.Key(message, topics, name), key.client.user == user else {
            return warnings.dropped(
                "requests whose response topic is not \(topics.prefix)/1/clients/\(user)-DIGITS/responses/\(name)",
                topic: message.responseTopic ?? message.topic)
        }
        guard isAllowed else {
            warnings.dropped("requests that came too fast")
            return refuse(key, GatewayFailure(.busy, text: "Too many requests"))
        }
        let request: GatewayRequest
        do throws(MessageError) {
            request = try GatewayRequest(payload: message.payload)
            guard request.id == key.id, request.client == key.client else {
                throw MessageError("The identifier or the client is not that of the response topic")
            }
        } catch {
            warnings.dropped("malformed requests (\(error))", topic: message.topic)
            return refuse(key, GatewayFailure(.malformed, text: error.description))
        }
        guard request.version == Topics.version else {
            warnings.dropped("requests of another version", topic: message.topic)
            let text = "This gateway speaks version \(Topics.version)"
            return refuse(key, GatewayFailure(.version, text: text))
        }
        if isOwnProbe(request) { return }
        if request.operation == .hello { return respondToHello(key) }
        // The request may be for another gateway with this name.
        guard isOnline else { return }
        admit(request, key, expiry: message.expiry.map { arrival.advanced(by: .seconds(Int64($0))) })
    }

    private func respondToHello(_ key: RequestLedger.Key) {
        let result = HelloResult(
            adapter: central.adapter?.address, powered: isPowered,
            slots: configuration.slots, free: max(0, configuration.slots - leases.count), online: isOnline)
        send(key, .success(result))
    }

    private func admit(_ request: GatewayRequest, _ key: RequestLedger.Key, expiry: BootInstant?) {
        let now = BootInstant.now
        guard request.instance == instance else {
            return refuse(key, GatewayFailure(.instance, text: "The gateway has been started again since"))
        }
        guard let milliseconds = request.notAfter, let notAfter = deadline(milliseconds, at: now) else {
            warnings.dropped("malformed requests (the deadline is missing or too late)")
            return refuse(key, GatewayFailure(.malformed, text: "The deadline is missing or too late"))
        }
        switch ledger.knows(key) {
        case .completed(let response): return publish(response, key, until: notAfter)
        case .underWay: return
        case .none: break
        }
        guard now <= notAfter, expiry.map({ now <= $0 }) ?? true else {
            warnings.dropped("requests that have expired")
            return refuse(key, GatewayFailure(.expired, text: "The deadline has passed"))
        }
        guard ledger.admit(key, notAfter: notAfter, at: now) else {
            warnings.dropped("requests beyond the limit of requests that are remembered")
            return refuse(key, GatewayFailure(.busy, text: "Too many requests"))
        }
        pruneSoon()
        let device = request.operation.device.map { " for \($0)" } ?? ""
        log.debug("Request \(request.id) from \(request.client): \(request.operation.name)\(device)")
        carryOut(request.operation, AdmittedRequest(key: key, notAfter: notAfter))
    }

    private func deadline(_ milliseconds: UInt64, at now: BootInstant) -> BootInstant? {
        let latest = clock(at: now.advanced(by: GatewayLimits.deadline))
        guard milliseconds <= latest else { return nil }
        return start.advanced(by: .milliseconds(Int64(clamping: milliseconds)))
    }

    private func pruneSoon() {
        guard pruning == nil else { return }
        pruning = BluetoothActor.after(.seconds(10)) { [weak self] in
            guard let self else { return }
            self.pruning = nil
            self.ledger.prune(at: .now)
            if self.ledger.count > 0 { self.pruneSoon() }
        }
    }

    // MARK: Responding

    /// Responds to a request that was not admitted, or whose response could not be published.
    func refuse(_ key: RequestLedger.Key, _ failure: GatewayFailure) {
        log.debug("Refused request \(key.id): \(failure.code)")
        send(key, Result<EmptyResult, GatewayFailure>.failure(failure))
    }

    private func send<Value: JSONObject & Hashable>(
        _ key: RequestLedger.Key, _ outcome: Result<Value, GatewayFailure>
    ) {
        publish(payload(key.id, outcome), key, until: BootInstant.now.advanced(by: .seconds(30)))
    }

    /// Responds to an admitted request, once.
    func respond<Value: JSONObject & Hashable>(
        _ request: AdmittedRequest, _ outcome: Result<Value, GatewayFailure>
    ) {
        log.debug("Response \(request.key.id): \(outcome.summary)")
        let payload = payload(request.key.id, outcome)
        ledger.complete(request.key, response: payload)
        publish(payload, request.key, until: request.notAfter)
    }

    /// Responds to an admitted request that is not performed.
    func refuse(_ request: AdmittedRequest, _ failure: GatewayFailure) {
        respond(request, Result<EmptyResult, GatewayFailure>.failure(failure))
    }

    private func payload<Value: JSONObject & Hashable>(
        _ id: Identifier, _ outcome: Result<Value, GatewayFailure>
    ) -> [UInt8] {
        let now = clock(at: .now)
        let response = GatewayResponse(id: id, instance: instance, now: now, outcome: outcome)
        if let payload = try? response.payload() { return payload }
        let failure = GatewayFailure.bluez(.failed, "The response is larger than a message may be")
        let substitute = GatewayResponse<EmptyResult>(
            id: id, instance: instance, now: now, outcome: .failure(failure))
        return (try? substitute.payload()) ?? []
    }

    private func publish(_ payload: [UInt8], _ key: RequestLedger.Key, until end: BootInstant) {
        guard isConnected else { return }
        charge(payload.count, to: key.client.user)
        broker.publish(
            BrokerMessage(
                topic: topics.responses(key.client, from: name), payload: payload, quality: .atLeastOnce,
                correlation: key.id.bytes, expiry: (end - BootInstant.now).expirySeconds))
    }
}

/// A request that the gateway performs.
struct AdmittedRequest {
    var key: RequestLedger.Key
    var notAfter: BootInstant
    var client: GatewayName { key.client }
}

extension Result where Failure == GatewayFailure {
    /// Success, or the code and the name of the failure. Text from other programs is not logged.
    fileprivate var summary: String {
        switch self {
        case .success: "success"
        case .failure(let failure): [failure.code.rawValue, failure.name].compactMap(\.self).joined(separator: " ")
        }
    }
}

extension RequestLedger.Key {
    /// Creates a key from the response topic and the correlation data. Nil unless the topic is a client's own topic for
    /// responses of this gateway.
    init?(_ message: BrokerMessage, _ topics: Topics, _ gateway: GatewayName) {
        guard let topic = message.responseTopic, let correlation = message.correlation,
            let id = Identifier(bytes: correlation),
            case .response(let client, gateway)? = topics.kind(of: topic)
        else { return nil }
        self.init(client: client, id: id)
    }
}
