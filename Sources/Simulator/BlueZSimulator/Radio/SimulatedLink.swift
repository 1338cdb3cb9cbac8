import BlueZDBus
import BlueZServer

/// A connection between a peripheral and a device of bluetoothd. ATT allows one request at a time, so others wait.
@SimulatorActor final class SimulatedLink {
    typealias ResponseHandler = @SimulatorActor (ATTResult) -> Void
    typealias Work = @SimulatorActor (SimulatedPeripheral, @escaping ResponseHandler) -> Void

    /// One request, until it has a response, is cancelled or is lost.
    @SimulatorActor final class Request: Cancellable {
        let work: Work
        var completion: ResponseHandler?

        init(work: @escaping Work, completion: @escaping ResponseHandler) {
            self.work = work
            self.completion = completion
        }

        func finish(_ result: ATTResult) {
            let completion = completion
            self.completion = nil
            completion?(result)
        }

        /// Cancels the request. Its response is dropped when it arrives.
        func cancel() { completion = nil }
    }

    let peripheral: SimulatedPeripheral
    let mtu: Int
    /// Whether the other side no longer receives anything, but the link has not ended yet.
    var isSilent = false
    let medium: RadioMedium
    private weak var host: (any LinkHost)?
    private var queue: [Request] = []
    private var current: Request?
    private var isOpen = true
    private var timer: SimulatorActor.ScheduledCall?
    private let timeout: Duration

    init(to peripheral: SimulatedPeripheral, from host: any LinkHost, in medium: RadioMedium) {
        self.peripheral = peripheral
        self.host = host
        self.medium = medium
        timeout = medium.timing.attTransaction
        mtu = Int(min(max(peripheral.specification.maximumMTU, 23), 517))
        peripheral.connected(by: self)
    }

    /// Sends a request when all earlier ones have their responses.
    func request(_ completion: @escaping Completion, _ work: @escaping Work) -> Request {
        let request = Request(work: work) { result in completion(result.mapError { .attribute($0.rawValue) }) }
        queue.append(request)
        next()
        return request
    }

    /// Sends a command, which has no response, ahead of the waiting requests.
    func command(_ work: Work) {
        guard isOpen, !isSilent else { return }
        work(peripheral) { _ in }
    }

    private func next() {
        guard isOpen, current == nil, !queue.isEmpty else { return }
        let request = queue.removeFirst()
        guard request.completion != nil else { return next() }
        current = request
        if !isSilent {
            request.work(peripheral) { [weak self, weak request] result in
                guard let self, let request, self.current === request else { return }
                self.responded(to: request, result)
            }
        }
        guard current === request else { return }
        timer = SimulatorActor.schedule(after: timeout) { [weak self] in self?.drop(.local) }
    }

    /// Whether the device is paired, which encrypts the link.
    var isEncrypted: Bool { host?.isPaired == true }

    /// Whether a number was compared or typed during pairing.
    var isAuthenticated: Bool { isEncrypted && host?.isAuthenticated == true }

    private func responded(to request: Request, _ result: ATTResult) {
        timer?.cancel()
        timer = nil
        if case .failure(let error) = result, request.completion != nil, canElevate(for: error) {
            return elevate(request)
        }
        current = nil
        request.finish(result)
        next()
    }

    /// Whether an error requires more security than the link has, like change_security() of src/shared/att.c.
    private func canElevate(for error: ATTError) -> Bool {
        error.needsPairing && !isEncrypted || error == .insufficientAuthentication && !isAuthenticated
    }

    /// Raises the security, and sends the request again, like bt_att. If pairing fails, the request never gets a
    /// response, and a device that is not paired becomes temporary (seen with bluetoothd 5.66).
    private func elevate(_ request: Request) {
        host?.secure(needsAuthentication: isEncrypted) { [weak self] isSecure in
            guard let self, isSecure, self.current === request else { return }
            self.current = nil
            self.queue.insert(request, at: 0)
            self.next()
        }
    }

    /// Handles the peripheral's Security Request.
    func requestSecurity() {
        guard isOpen, !isSilent, !isEncrypted else { return }
        host?.secure(needsAuthentication: false) { _ in }
    }

    /// Delivers a notification or indication.
    func deliver(_ value: [UInt8], from characteristic: SimulatedCharacteristic) {
        guard isOpen, !isSilent else { return }
        host?.received(value, from: characteristic.handle)
    }

    func servicesChanged() {
        guard isOpen, !isSilent else { return }
        host?.servicesChanged(peripheral.discovery)
    }

    /// Loses the link, which bluetoothd notices.
    func drop(_ end: LinkEnd) {
        guard isOpen else { return }
        host?.linkLost(end)
    }

    /// Ends the link. Requests that are pending or waiting fail with 0x0e, in order.
    func close() {
        guard isOpen else { return }
        isOpen = false
        timer?.cancel()
        let requests = (current.map { [$0] } ?? []) + queue
        current = nil
        queue.removeAll()
        peripheral.disconnected()
        for request in requests { request.finish(.failure(.unlikelyError)) }
    }
}

/// A peripheral's link to whoever uses it: a device of the simulated bluetoothd, or the centrals of a real one.
@SimulatorActor package protocol PeripheralLink: AnyObject {
    /// The ATT MTU in bytes. Notifications have at most 3 bytes less.
    var mtu: Int { get }
    /// Whether the link is encrypted.
    var isEncrypted: Bool { get }
    /// Whether a number was compared or typed during pairing.
    var isAuthenticated: Bool { get }
    /// Whether the other side no longer receives anything, but the link has not ended yet.
    var isSilent: Bool { get set }
    /// Delivers a notification or indication.
    func deliver(_ value: [UInt8], from characteristic: SimulatedCharacteristic)
    /// Handles the peripheral's Security Request.
    func requestSecurity()
    /// Reports that the peripheral has other services.
    func servicesChanged()
    /// Ends the link, or loses it.
    func drop(_ end: LinkEnd)
}

extension SimulatedLink: PeripheralLink {}
