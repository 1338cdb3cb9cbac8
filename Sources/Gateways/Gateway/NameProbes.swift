import BlueZDBus
import CoreBlueZ
import GatewayProtocol

/// The requests with which a gateway detects another one with its name.
struct NameProbes {
    /// The identifiers of the pending probes, with the time on this gateway's clock at which each was sent.
    var sent: [Identifier: UInt64] = [:]
    /// Whether the retained status says that another instance is online.
    var isOtherOnline = false
    /// The scheduled call after which a missing response means that there is no other gateway.
    var deadline: ScheduledCall?
    /// The limit of this gateway's reactions to statuses that others publish in its name, such as a late will.
    var reactions = TokenBucket(rate: 1, burst: 10, now: .now)
    /// How long another gateway has time to respond.
    static let timeout: Duration = .seconds(5)
}

/// Detection of two gateways with the same name. Both would get each other's requests, so the newer one leaves.
///
/// A gateway that starts sends `hello` to its own name. The broker also delivers that to the gateway itself, after the
/// retained status. If no other instance is online by then, the name is free. Otherwise the other instance has 5 s to
/// respond. A status without a response is that of a gateway that was killed. If two gateways start at the same time,
/// each gets the other's response, and the one that started later leaves.
extension Gateway {
    func probeName() {
        let now = clock(at: .now)
        let request = GatewayRequest(
            id: .random(), instance: nil, client: name, notAfter: nil, operation: .hello)
        guard let payload = try? request.payload() else { return }
        if probes.sent.count >= 16 { probes.sent = [:] }
        probes.sent[request.id] = now
        broker.publish(
            BrokerMessage(
                topic: topics.requests(name, from: name), payload: payload, quality: .atLeastOnce,
                responseTopic: topics.responses(name, from: name), correlation: request.id.bytes,
                expiry: NameProbes.timeout.expirySeconds))
        guard !isOnline else { return }
        probes.deadline?.cancel()
        probes.deadline = BluetoothActor.after(NameProbes.timeout) { [weak self] in self?.goOnline() }
    }

    /// Returns whether a request is this gateway's own probe, which proves that the retained status has been delivered.
    func isOwnProbe(_ request: GatewayRequest) -> Bool {
        guard request.client == name, probes.sent[request.id] != nil else { return false }
        if !probes.isOtherOnline { goOnline() }
        return true
    }

    private func goOnline() {
        guard !isOnline, !isEnding, isConnected else { return }
        probes.deadline?.cancel()
        probes.deadline = nil
        isOnline = true
        log.debug("Nobody else has the name \(name); publishing the status of the instance \(instance)")
        publishStatus()
        publishSoon()
    }

    /// Called when the broker has delivered this gateway's status to the gateway itself, so that fleets get it too.
    private func statusDelivered() {
        guard isOnline, !isAnnounced else { return }
        isAnnounced = true
        log.notice("The gateway \(name) is online")
    }

    /// Called when the broker does not accept the status, which is published again later.
    func statusRefused(_ error: BrokerError) {
        warnings.warn(
            isAnnounced
                ? "Fleets see an old status of the gateway \(name): \(error); trying again"
                : "The gateway \(name) is not online, because the broker does not take its status: \(error); trying again"
        )
        publishStatusLater()
    }

    func receiveStatus(_ message: BrokerMessage) {
        guard !message.payload.isEmpty else { return isOnline ? republishStatus() : () }
        let status: GatewayStatus
        do throws(MessageError) {
            status = try GatewayStatus(payload: message.payload)
        } catch {
            return warnings.dropped("malformed messages (\(error))", topic: message.topic)
        }
        switch status.state {
        case .online where status.instance == instance: statusDelivered()
        case .online where isOnline:
            warnings.dropped("statuses of another gateway with this name", topic: message.topic)
            if probes.reactions.take(at: .now) { probeName() }
        case .online: probes.isOtherOnline = true
        case .offline where status.instance == instance && !isConnected: break
        // The will of an earlier connection or instance arrived late.
        case .offline: isOnline ? republishStatus() : (probes.isOtherOnline = false)
        }
    }

    private func republishStatus() {
        if probes.reactions.take(at: .now) { publishStatus() } else { publishStatusLater() }
    }

    func receiveProbeResponse(_ message: BrokerMessage) {
        let response: GatewayResponse<HelloResult>
        do throws(MessageError) {
            response = try GatewayResponse(payload: message.payload)
        } catch {
            return warnings.dropped("malformed messages (\(error))", topic: message.topic)
        }
        guard response.instance != instance, let sent = probes.sent[response.id] else { return }
        // A gateway that refuses the request is online too.
        let isOtherOnline = (try? response.outcome.get())?.online ?? true
        guard isOtherOnline == isOnline ? isOlder(response, than: sent) : isOtherOnline else {
            log.warning("Another gateway has the name \(name); it shall leave")
            if isOnline { publishStatus() }
            return
        }
        log.error("A gateway with the name \(name) is online already")
        // This gateway's end must not replace the other's status.
        isOnline = false
        session.finish(.nameTaken(name))
    }

    /// Returns whether another instance is older. Clocks are compared at the time of the probe. If they are too close,
    /// the identifiers decide.
    private func isOlder(_ other: GatewayResponse<HelloResult>, than sent: UInt64) -> Bool {
        let difference = other.now > sent ? other.now - sent : sent - other.now
        return difference < 2000 ? other.instance.description < instance.description : other.now > sent
    }
}
