import BlueZDBus
import BlueZServer
import GatewayProtocol

extension FleetLink: RadioLink {
    var isRelayed: Bool { true }

    func discover(_ completion: @escaping @BlueZServerActor (Discovery?) -> Void) {
        requestDiscovery { [weak self] discovery in
            guard let self, !self.isOver else { return }
            if let discovery { completion(discovery) } else { self.giveUp() }
        }
    }

    func requestDiscovery(_ completion: @escaping @BlueZServerActor (Discovery?) -> Void) {
        let timeout = gateway.timeouts.discover
        request(.discover(reference, timeout: Int(timeout.wholeMilliseconds)), timeout: timeout) {
            [weak self] (result: Result<DiscoverResult, RequestFailure>) in
            guard let self, !self.isOver, case .success(let response) = result else { return completion(nil) }
            self.report(response.state)
            if let mtu = response.services.flatMap(\.characteristics).compactMap(\.mtu).max() { self.mtu = mtu }
            completion(Discovery(services: response.services, uuids: response.uuids))
        }
    }

    func read(_ handle: UInt16, offset: UInt16, completion: @escaping Completion) -> any RadioOperation {
        let operation = GatewayOperation.read(reference, handle: handle, offset: Int(offset))
        return request(operation, timeout: gateway.timeouts.value) {
            [gateway] (result: Result<ValueResult, RequestFailure>) in
            completion(result.map(\.value).mapError { $0.link(of: operation, on: gateway.name) })
        }
    }

    func write(
        _ value: [UInt8], to handle: UInt16, kind: WriteKind, offset: UInt16, completion: @escaping Completion
    ) -> any RadioOperation {
        perform(
            .write(
                reference, handle: handle, value: value, kind == .reliable ? .reliable : .request, offset: Int(offset)),
            completion)
    }

    func command(_ value: [UInt8], to handle: UInt16) {
        _ = perform(.write(reference, handle: handle, value: value, .command, offset: 0)) { _ in }
    }

    func configure(
        _ handle: UInt16, _ setting: NotifySetting, completion: @escaping Completion
    ) -> any RadioOperation {
        guard setting != .off else {
            subscriptions.remove(handle)
            return perform(.unsubscribe(reference, handle: handle), completion)
        }
        subscriptions.insert(handle)
        let request = perform(.subscribe(reference, handle: handle)) { [weak self] result in
            if case .failure = result { self?.subscriptions.remove(handle) }
            completion(result)
        }
        return Subscribing(request) { [weak self] in
            guard let self, !self.isOver, self.subscriptions.remove(handle) != nil else { return }
            _ = self.perform(.unsubscribe(self.reference, handle: handle)) { _ in }
        }
    }

    private func perform(_ operation: GatewayOperation, _ completion: @escaping Completion) -> any RadioOperation {
        request(operation, timeout: gateway.timeouts.value) {
            [gateway] (result: Result<EmptyResult, RequestFailure>) in
            completion(result.map { _ in [] }.mapError { $0.link(of: operation, on: gateway.name) })
        }
    }

    func pair(
        _ request: PairingRequest, completion: @escaping @BlueZServerActor (PairingEnd) -> Void
    ) -> any RadioPairing {
        FleetPairing(self, completion: completion)
    }

    func disconnect(_ completion: @escaping @BlueZServerActor () -> Void) -> any RadioOperation {
        // Whatever the response is, this side has no link afterwards. At the latest, the gateway's lease ends.
        request(.disconnect(reference), timeout: gateway.timeouts.disconnect) {
            [weak self] (result: Result<EmptyResult, RequestFailure>) in
            if case .success = result { self?.hasLeft = true }
            completion()
        }
    }
}

extension RequestFailure {
    /// Returns the error of a link. The end of the link is an ATT error, as on bluetoothd's own links.
    func link(of operation: GatewayOperation, on gateway: GatewayName) -> LinkError {
        self == .lost ? .attribute(0x0E) : .bus(error(of: operation, on: gateway))
    }
}

/// A pairing without keys, by the gateway's bluetoothd.
@BlueZServerActor final class FleetPairing: RadioPairing {
    private let link: FleetLink
    var completion: (@BlueZServerActor (PairingEnd) -> Void)?
    private var request: PendingRequest?

    init(_ link: FleetLink, completion: @escaping @BlueZServerActor (PairingEnd) -> Void) {
        self.link = link
        self.completion = completion
    }

    func start() {
        let timeout = link.gateway.timeouts.pair
        let operation = GatewayOperation.pair(link.reference, timeout: Int(timeout.wholeMilliseconds))
        let request = link.request(operation, timeout: timeout) { (result: Result<DeviceState, RequestFailure>) in
            self.request = nil
            switch result {
            case .success(let state):
                self.end(.paired(isAuthenticated: false, isBonded: state.bonded ?? true))
            case .failure(let failure):
                self.end(.failed(failure.error(of: operation, on: self.link.gateway.name)))
            }
        }
        // It may have ended immediately. Its completion keeps the pairing.
        if request.isWanted { self.request = request }
    }

    /// Cancels the pairing in the gateway's bluetoothd too. The end of the link also ends it.
    func withdraw(_ reason: String?) {
        guard let request, request.isWanted else { return }
        let isUnderWay = request.isSent && !link.isOver
        request.cancel()
        self.request = nil
        guard isUnderWay else { return }
        link.request(.cancelPairing(link.reference), timeout: link.gateway.timeouts.disconnect) {
            (_: Result<EmptyResult, RequestFailure>) in
        }
    }
}

/// A subscription whose client may leave before it is made. The gateway makes it nevertheless, so it must be ended
/// there.
@BlueZServerActor private final class Subscribing: RadioOperation {
    private let request: any RadioOperation
    private var undo: (@BlueZServerActor () -> Void)?

    init(_ request: any RadioOperation, undo: @escaping @BlueZServerActor () -> Void) {
        self.request = request
        self.undo = undo
    }

    func cancel() {
        request.cancel()
        undo?()
        undo = nil
    }
}
