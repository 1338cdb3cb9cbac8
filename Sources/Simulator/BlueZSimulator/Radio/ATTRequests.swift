import BlueZServer
import BlueZValues

/// The requests of one end of a link to the other end. ATT allows one request at a time, so others wait.
@SimulatorActor final class ATTRequests<Responder: AnyObject> {
    typealias ResponseHandler = @SimulatorActor (ATTResult) -> Void
    typealias Work = @SimulatorActor (Responder, @escaping ResponseHandler) -> Void
    /// Raises the security of the link for a request that failed. Returns false if it cannot.
    typealias Elevation = @SimulatorActor (ATTError, @escaping @SimulatorActor (Bool) -> Void) -> Bool

    /// One request, until it has a response, is cancelled or is lost.
    @SimulatorActor final class Request: RadioOperation {
        fileprivate let work: Work
        private(set) var completion: ResponseHandler?

        init(work: @escaping Work, completion: @escaping ResponseHandler) {
            self.work = work
            self.completion = completion
        }

        func finish(_ result: ATTResult) { completion.take()?(result) }

        /// Cancels the request. Its response is dropped when it arrives.
        func cancel() { completion = nil }
    }

    let responder: Responder
    /// Whether nothing reaches the other end, although the link has not ended yet.
    var isSilent = false
    var elevation: Elevation?
    private let timeout: Duration
    private let timedOut: @SimulatorActor () -> Void
    private var queue: [Request] = []
    private var current: Request?
    private(set) var isOpen = true
    private var timer: SimulatorActor.ScheduledCall?

    init(to responder: Responder, timeout: Duration, timedOut: @escaping @SimulatorActor () -> Void) {
        self.responder = responder
        self.timeout = timeout
        self.timedOut = timedOut
    }

    /// Sends a request when all earlier ones have their responses. Fails if the link is closed.
    @discardableResult
    func send(_ completion: @escaping ResponseHandler, _ work: @escaping Work) -> Request {
        let request = Request(work: work, completion: completion)
        guard isOpen else {
            request.finish(.failure(.unlikelyError))
            return request
        }
        queue.append(request)
        next()
        return request
    }

    /// Sends a command, which has no response, ahead of the waiting requests.
    func command(_ work: @SimulatorActor (Responder) -> Void) {
        if isOpen, !isSilent { work(responder) }
    }

    private func next() {
        guard isOpen, current == nil, !queue.isEmpty else { return }
        let request = queue.removeFirst()
        guard request.completion != nil else { return next() }
        current = request
        if !isSilent {
            request.work(responder) { [weak self, weak request] result in
                guard let self, let request, self.current === request else { return }
                self.responded(to: request, result)
            }
        }
        guard current === request, timer == nil else { return }
        timer = SimulatorActor.schedule(after: timeout) { [weak self] in self?.timedOut() }
    }

    private func responded(to request: Request, _ result: ATTResult) {
        guard !isSilent else { return }
        timer.take()?.cancel()
        if case .failure(let error) = result, request.completion != nil, let elevation {
            let isRaised = elevation(error) { [weak self] isSecure in
                guard let self, isSecure, self.current === request else { return }
                self.current = nil
                self.queue.insert(request, at: 0)
                self.next()
            }
            if isRaised { return }
        }
        current = nil
        request.finish(result)
        next()
    }

    /// Ends the requests. Those that are pending or waiting fail with 0x0e, in order.
    ///
    /// - Parameter closing: ends what else the link has, before the requests fail.
    func close(_ closing: () -> Void) {
        guard isOpen else { return }
        isOpen = false
        timer?.cancel()
        let requests = (current.take().map { [$0] } ?? []) + queue
        queue.removeAll()
        closing()
        for request in requests { request.finish(.failure(.unlikelyError)) }
    }
}

/// The result of an ATT request.
package typealias ATTResult = Result<[UInt8], ATTError>

extension ATTError {
    /// Whether bluetoothd raises the security of a link with this one, and repeats the request (src/shared/att.c:
    /// change_security).
    func needsMore(than security: LinkSecurity) -> Bool {
        switch self {
        case .insufficientAuthentication: security < .authenticated
        case .insufficientEncryption: security < .encrypted
        default: false
        }
    }
}
