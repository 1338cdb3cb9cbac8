import CMosquitto
import GatewayProtocol

/// The callbacks of the client, on the thread that runs it. The reasons are codes of MQTT 5 or errors of the library.
extension MosquittoBroker {
    func connected(_ reason: CInt, packetLimit: UInt32?) {
        let (client, subscriptions) = state.withLock { ($0.client, $0.subscriptions) }
        guard let client else { return }
        if let packetLimit { client.limitPackets(to: packetLimit) }
        let reason = ReasonCode(reason)
        // The library publishes nothing before the broker has accepted the connection.
        guard !reason.isError else { return ended(by: reason, isFinal: reason.isFinal, isDueToMessage: false) }
        guard !subscriptions.isEmpty else { return ready() }
        // Responses arrive later on this thread, so none can precede the record of its request.
        for subscription in subscriptions {
            guard let identifier = client.subscribe(subscription) else { continue }
            state.withLock { $0.unacknowledged[identifier] = subscription }
        }
    }

    func subscribed(_ identifier: CInt, _ reason: CInt) {
        let reason = ReasonCode(reason)
        let (subscription, isLast) = state.withLock { state in
            (state.unacknowledged.removeValue(forKey: identifier), state.unacknowledged.isEmpty)
        }
        guard let subscription else { return }
        if reason.isError {
            report(.subscriptionRefused(filter: subscription.filter, reason.error()))
        }
        if isLast { ready() }
    }

    private func ready() {
        publishAgain()
        state.withLock { $0.isReady = true }
        report(.connected)
    }

    func disconnected(_ reason: CInt) {
        let reason = ReasonCode(reason)
        state.withLock { $0.isOpen = false }
        guard reason.isError else { return }
        let isFinal = reason.isFinal || reason.error().code == .takenOver
        ended(by: reason, isFinal: isFinal, isDueToMessage: reason.isDueToMessage)
    }

    private func ended(by reason: ReasonCode, isFinal: Bool, isDueToMessage: Bool) {
        let error = reason.error(place)
        state.withLock { state in
            state.end = (error, isDueToMessage)
            if isFinal { state.refusal = error }
        }
    }

    func published(_ identifier: CInt, _ reason: CInt) {
        let message = state.withLock { $0.outgoing.finished(identifier, reason) }
        let reason = ReasonCode(reason)
        guard let message, reason.isError else { return }
        refused(message, reason.publishing)
    }

    func received(_ message: BrokerMessage) {
        report(.message(message))
    }
}
