import BlueZDBus
import BlueZServer
import BlueZValues
import GatewayProtocol

/// An attempt to connect through a gateway.
@BlueZServerActor final class FleetAttempt: RadioOperation {
    let device: BluetoothAddress?
    /// Called with the gateway that made the link.
    var used: (@BlueZServerActor (RemoteGateway) -> Void)?
    var ended: (@BlueZServerActor (FleetAttempt) -> Void)?
    /// Returns the gateway to try next if one has no free link, or nil if there is no other.
    var alternative: (@BlueZServerActor (FleetAttempt) -> RemoteGateway?)?
    /// Returns the reason why no gateway could be used, for the error.
    var obstacle: (@BlueZServerActor (FleetAttempt) -> String?)?
    /// The gateways that had no free link.
    private(set) var busy: Set<GatewayName> = []
    private let host: any LinkHost
    private var completion: (@BlueZServerActor (ConnectionResult) -> Void)?
    private var request: PendingRequest?
    private var timer: BlueZServerActor.ScheduledCall?

    init(_ host: any LinkHost, completion: @escaping @BlueZServerActor (ConnectionResult) -> Void) {
        self.host = host
        self.completion = completion
        device = BluetoothAddress(host.identity.address)
    }

    /// Whether no gateway has been tried yet.
    var isWaiting: Bool { completion != nil && request == nil }

    /// Fails as bluetoothd does if no gateway receives the device within this time.
    func limit(to duration: Duration) {
        timer = BlueZServerActor.schedule(after: duration) { [weak self] in
            guard let self, self.isWaiting else { return }
            let obstacle = self.obstacle?(self).map { "\($0): " } ?? ""
            self.finish(.failed(BlueZError.failed("\(obstacle)le-connection-abort-by-local")))
        }
    }

    func connect(through gateway: RemoteGateway) {
        guard isWaiting, let device else { return }
        let timeout = gateway.timeouts.connect
        let operation = GatewayOperation.connect(
            device, host.identity.addressType,
            lease: Int(gateway.lease.wholeMilliseconds), timeout: Int(timeout.wholeMilliseconds))
        let sent = gateway.request(operation, timeout: timeout) {
            [weak self] (result: Result<ConnectResult, RequestFailure>) in
            guard let self else { return }
            switch result {
            case .success(let response): self.connected(response, device, gateway)
            case .failure(let failure):
                if failure.isBusy, let other = self.alternative(to: gateway) { return self.connect(through: other) }
                self.finish(.failed(failure.error(of: operation, on: gateway.name)))
            }
        } unwanted: { response in
            // The gateway has made a link that is no longer wanted.
            gateway.request(
                .disconnect(LinkReference(device: device, link: response.link)), timeout: gateway.timeouts.disconnect
            ) { (_: Result<EmptyResult, RequestFailure>) in }
        }
        // If the request failed immediately, another one may have followed.
        if request == nil { request = sent }
    }

    /// Returns another gateway that may have a free link. The given one did nothing.
    private func alternative(to gateway: RemoteGateway) -> RemoteGateway? {
        guard completion != nil else { return nil }
        busy.insert(gateway.name)
        request = nil
        return alternative?(self)
    }

    private func connected(_ response: ConnectResult, _ device: BluetoothAddress, _ gateway: RemoteGateway) {
        guard completion != nil else { return }
        let reference = LinkReference(device: device, link: response.link)
        let link = FleetLink(reference, through: gateway, to: host)
        used?(gateway)
        link.report(response.state)
        finish(.connected(link, fault: .none))
        if !link.isOver { gateway.add(link) }
    }

    func cancel() {
        finish(nil)
    }

    private func finish(_ result: ConnectionResult?) {
        let completion = self.completion.take()
        timer?.cancel()
        request?.cancel()
        ended?(self)
        ended = nil
        if let result { completion?(result) }
    }
}
