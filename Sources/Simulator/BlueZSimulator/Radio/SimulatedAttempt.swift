import BlueZServer

/// An attempt to connect: the kernel waits for an advertisement, then creates the link.
@SimulatorActor final class SimulatedAttempt: RadioOperation {
    private let host: any LinkHost
    private let adapter: Adapter?
    private let medium: RadioMedium
    private let ended: @SimulatorActor (SimulatedAttempt) -> Void
    private var completion: (@SimulatorActor (ConnectionResult) -> Void)?
    private var timers: [SimulatorActor.ScheduledCall] = []

    init(
        _ host: any LinkHost, _ adapter: Adapter?, _ medium: RadioMedium,
        completion: @escaping @SimulatorActor (ConnectionResult) -> Void,
        ended: @escaping @SimulatorActor (SimulatedAttempt) -> Void
    ) {
        self.host = host
        self.adapter = adapter
        self.medium = medium
        self.completion = completion
        self.ended = ended
    }

    var address: String { host.identity.address }

    func start() {
        let text =
            host.identity.deviceClass == nil ? "le-connection-abort-by-local" : "br-connection-page-timeout"
        schedule(after: medium.timing.connectTimeout) { $0.fail(text) }
        advance()
    }

    /// Continues if the peripheral advertises.
    func advance() {
        guard completion != nil, !host.isBlocked else { return }
        guard let peripheral = medium.peripheral(address) else { return advanceToAdapter() }
        guard peripheral.isAdvertising, !peripheral.isConnected, peripheral.isConnectable else { return }
        if case .failure(let text, let delay) = peripheral.connectionFault {
            return schedule(after: delay) { $0.fail(text) }
        }
        schedule(after: medium.timing.connect) { [weak peripheral] attempt in
            guard let peripheral, peripheral.isAdvertising, !peripheral.isConnected else { return }
            attempt.connect(to: peripheral)
        }
    }

    /// Continues if another adapter has the address and accepts connections.
    private func advanceToAdapter() {
        guard medium.adapter(address) != nil, medium.isInRange(adapter) else { return }
        schedule(after: medium.timing.connect) { attempt in
            guard let central = attempt.adapter, let peripheral = attempt.medium.adapter(attempt.address),
                peripheral !== central, attempt.medium.isInRange(central),
                let (link, accept) = AdapterLink.connect(attempt.host, central, to: peripheral, in: attempt.medium)
            else { return }
            let completion = attempt.end()
            accept()
            completion?(.connected(link, fault: .none))
        }
    }

    func cancel() {
        end()
    }

    private func connect(to peripheral: SimulatedPeripheral) {
        let completion = end()
        let link = SimulatedLink(to: peripheral, from: host, in: medium)
        switch peripheral.specification.classic == nil ? peripheral.connectionFault : nil {
        case .shortLink(let text): completion?(.lost(link, BlueZError.failed(text)))
        case .unsignalledLink: completion?(.unsignalled(link))
        case .lostReply: completion?(.connected(link, fault: .noReply))
        default: completion?(.connected(link, fault: .none))
        }
    }

    private func fail(_ text: String) {
        end()?(.failed(BlueZError.failed(text)))
    }

    private func schedule(after delay: Duration, _ body: @escaping @SimulatorActor (SimulatedAttempt) -> Void) {
        timers.append(
            SimulatorActor.schedule(after: delay) { [weak self] in
                if let self, self.completion != nil { body(self) }
            })
    }

    @discardableResult private func end() -> (@SimulatorActor (ConnectionResult) -> Void)? {
        let completion = self.completion.take()
        timers.forEach { $0.cancel() }
        timers.removeAll()
        ended(self)
        return completion
    }
}
