import CoreBlueZ
import DBus
import GatewayProtocol

/// The questions by which a gateway finds out whether another one has its name.
struct NameProbes {
    /// The identifiers of the questions under way, and what this gateway's clock showed when each was sent.
    var sent: [Identifier: UInt64] = [:]
    /// Whether the retained status says that another instance is online.
    var isOtherOnline = false
    /// When an unanswered question counts as answered with no.
    var deadline: ScheduledCall?
    /// How often this gateway reacts to what others publish as its status, such as a late last will.
    var reactions = TokenBucket(rate: 1, burst: 10, now: .now)
    /// How long another gateway has to answer.
    static let patience: Duration = .seconds(5)
}

/// Two gateways of one name: both get each other's requests, so the newer one leaves.
///
/// A gateway that starts sends `hello` to its own name. The broker delivers that to itself too, after the retained status:
/// if no other instance is online by then, the name is free. Otherwise the other has five seconds to answer; a status
/// without an answer is left over from a gateway that was killed. If two start at a time, each gets the other's answer, and
/// the one that started later leaves.
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
                topic: topics.requests(name), payload: payload, quality: .atLeastOnce,
                responseTopic: topics.responses(name, from: name), correlation: request.id.bytes,
                expiry: NameProbes.patience.expirySeconds))
        guard !isOnline else { return }
        probes.deadline?.cancel()
        probes.deadline = BluetoothActor.after(NameProbes.patience) { [weak self] in self?.goOnline() }
    }

    /// Whether a request is this gateway's own question, which proves that the retained status has been delivered.
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
        log.info("The gateway is online", metadata: ["name": "\(name)", "instance": "\(instance)"])
        publishStatus()
        publishSoon()
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
        case .online where status.instance == instance: break
        case .online where isOnline:
            warnings.dropped("statuses of another gateway with this name", topic: message.topic)
            if probes.reactions.take(at: .now) { probeName() }
        case .online: probes.isOtherOnline = true
        case .offline where status.instance == instance && !isConnected: break
        // The last will of an earlier connection or instance came late.
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
        // Who refuses to answer is online, too.
        let isOtherOnline = (try? response.outcome.get())?.online ?? true
        guard isOtherOnline == isOnline ? isOlder(response, than: sent) : isOtherOnline else {
            log.warning("Another gateway has this name; it shall leave", metadata: ["name": "\(name)"])
            if isOnline { publishStatus() }
            return
        }
        log.error("A gateway with this name is online already", metadata: ["name": "\(name)"])
        // Its status must not be replaced by this gateway's end.
        isOnline = false
        session.finish(.nameTaken(name))
    }

    /// Whether another instance is the older one. Clocks are compared when the question was sent; if they are that close,
    /// neither is older, and the identifiers decide.
    private func isOlder(_ other: GatewayResponse<HelloResult>, than sent: UInt64) -> Bool {
        let difference = other.now > sent ? other.now - sent : sent - other.now
        return difference < 2000 ? other.instance.description < instance.description : other.now > sent
    }
}
