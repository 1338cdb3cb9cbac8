import CoreBlueZ
import DBus
import GatewayProtocol

/// The requests with which a gateway finds out whether another one has its name.
struct NameProbes {
    /// The identifiers of the pending probes, with this gateway's clock when each was sent.
    var sent: [Identifier: UInt64] = [:]
    /// Whether the retained status says that another instance is online.
    var isOtherOnline = false
    /// When a missing response counts as a no.
    var deadline: ScheduledCall?
    /// Limits this gateway's reactions to statuses in its name from others, such as a late will.
    var reactions = TokenBucket(rate: 1, burst: 10, now: .now)
    /// How long another gateway has to respond.
    static let timeout: Duration = .seconds(5)
}

/// Two gateways of one name: both get each other's requests, so the newer one leaves.
///
/// A gateway that starts sends `hello` to its own name. The broker also delivers that to the gateway itself, after the
/// retained status: if no other instance is online by then, the name is free. Otherwise the other has five seconds to
/// respond; a status without a response is left over from a gateway that was killed. If two start at the same time,
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

    /// Whether a request is this gateway's own probe, which proves that the retained status has been delivered.
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

    /// The broker has delivered this gateway's status to the gateway itself: fleets get it too.
    private func statusDelivered() {
        guard isOnline, !isAnnounced else { return }
        isAnnounced = true
        log.notice("The gateway \(name) is online")
    }

    /// The broker does not take the status, which is tried again.
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
        // A gateway that refuses to respond is online too.
        let isOtherOnline = (try? response.outcome.get())?.online ?? true
        guard isOtherOnline == isOnline ? isOlder(response, than: sent) : isOtherOnline else {
            log.warning("Another gateway has the name \(name); it shall leave")
            if isOnline { publishStatus() }
            return
        }
        log.error("A gateway with the name \(name) is online already")
        // Its status must not be replaced by this gateway's end.
        isOnline = false
        session.finish(.nameTaken(name))
    }

    /// Whether another instance is older. Clocks are compared at the time of the probe; if they are too close to tell,
    /// the identifiers decide.
    private func isOlder(_ other: GatewayResponse<HelloResult>, than sent: UInt64) -> Bool {
        let difference = other.now > sent ? other.now - sent : sent - other.now
        return difference < 2000 ? other.instance.description < instance.description : other.now > sent
    }
}
