import BlueZDBus
import BlueZPrintableText
import BlueZServer
import BlueZValues

extension ReplayLink: RadioLink {
    var mtu: Int { Int(min(max(plan.mtu, 23), 517)) }
    var isRelayed: Bool { true }

    func read(_ handle: UInt16, offset: UInt16, completion: @escaping Completion) -> any RadioOperation {
        let handle = valueHandle(handle)
        if let index = nextRequest(RequestPlan.Key(kind: .read, handle: handle, offset: offset)) {
            return answer(index) { [weak self] result in
                if case .success(let value) = result, offset == 0 { self?.values[handle] = value }
                completion(result)
            }
        }
        let value = values[handle] ?? device.value(of: handle)
        tell("read", handle, value == nil ? "it fails" : "the last known value is returned")
        let result = value.map { Array($0.dropFirst(Int(offset))) }
        return request(completion).end(result.map { .success($0) } ?? .failure(.attribute(0x0E)))
    }

    func write(
        _ value: [UInt8], to handle: UInt16, kind: WriteKind, offset: UInt16, completion: @escaping Completion
    ) -> any RadioOperation {
        let handle = valueHandle(handle)
        guard let index = nextRequest(RequestPlan.Key(kind: .write, handle: handle), writing: value) else {
            tell("write", handle, "it succeeds")
            if offset == 0 { values[handle] = value }
            return request(completion).end(.success([]))
        }
        return answer(index) { [weak self] result in
            if case .success = result, offset == 0 { self?.values[handle] = value }
            completion(result)
        }
    }

    func command(_ value: [UInt8], to handle: UInt16) {
        let handle = valueHandle(handle)
        if let index = nextRequest(RequestPlan.Key(kind: .write, handle: handle), writing: value) {
            mark(index)
        } else {
            tell("write without response", handle, "nothing follows from it")
        }
    }

    func configure(
        _ handle: UInt16, _ setting: NotifySetting, completion: @escaping Completion
    ) -> any RadioOperation {
        let handle = valueHandle(handle)
        guard setting != .off else {
            subscriptions.remove(handle)
            return request(completion).end(.success([]))
        }
        let begin: Completion = { [weak self] result in
            if case .success = result { self?.subscriptions.insert(handle) }
            completion(result)
        }
        guard let index = nextRequest(RequestPlan.Key(kind: .notify, handle: handle)) else {
            tell("subscription", handle, "it succeeds")
            return request(begin).end(.success([]))
        }
        // As for each earlier session of a client on the last link (src/gatt-client.c: btd_gatt_client_connected).
        if !hasBegun { renewals.insert(index) }
        return answer(index, begin)
    }

    func pair(
        _ request: PairingRequest, completion: @escaping @BlueZServerActor (PairingEnd) -> Void
    ) -> any RadioPairing {
        let index = nextRequest(RequestPlan.Key(kind: .pair, handle: 0))
        if index == nil { replay.tell(device.identity.address, "A pairing is not recorded; it fails") }
        return ReplayPairing(self, index, request.dialogue, completion)
    }

    func disconnect(_ completion: @escaping @BlueZServerActor () -> Void) -> any RadioOperation {
        BlueZServerActor.schedule(after: replay.duration(plan.ending?.duration ?? 0)) { [weak self] in
            self?.playLast()
            completion()
        }
    }

    /// Passes the next mark.
    func passMark() {
        if let index = nextRequest(RequestPlan.Key(kind: .mark, handle: 0)) { mark(index) }
    }

    // MARK: Answers

    /// How long a request may wait. Then bluetoothd ends the link (src/shared/att.c: ATT_TIMEOUT_INTERVAL).
    static let timeout: Duration = .seconds(30)

    /// Removes and returns the next recorded request of this kind; that with the same value if there is one.
    private func nextRequest(_ key: RequestPlan.Key, writing value: [UInt8]? = nil) -> Int? {
        guard let value, let same = requests[key]?.lastIndex(where: { plan.requests[$0].written == value }) else {
            return requests[key]?.popLast()
        }
        return requests[key]?.remove(at: same)
    }

    /// Ends a request as the recorded one ended, after as long a time.
    private func answer(_ index: Int, _ completion: @escaping Completion) -> any RadioOperation {
        let plan = plan.requests[index]
        let request = request(completion)
        guard let end = plan.result else {
            mark(index)
            request.timer = BlueZServerActor.schedule(after: Self.timeout) { [weak host] in host?.linkLost(.local) }
            return request
        }
        let dialogue = plan.questions.isEmpty ? nil : host?.dialogue()
        request.steps = ReplayQuestions(plan.questions, dialogue, replay) { [weak self, weak request] isAnswered in
            guard let self, let request else { return }
            let delay = self.replay.duration(plan.restOfLatency)
            request.timer = BlueZServerActor.schedule(after: delay) { [weak self, weak request] in
                self?.mark(index)
                request?.finish(isAnswered ? end : .failure(.attribute(0x05)))
            }
        }
        request.steps?.ask()
        return request
    }

    private func request(_ completion: @escaping Completion) -> ReplayRequest {
        let request = ReplayRequest(completion)
        guard isOpen else {
            request.end(.failure(.attribute(0x0E)))
            return request
        }
        pending[ObjectIdentifier(request)] = request
        request.ended = { [weak self] request in self?.pending[ObjectIdentifier(request)] = nil }
        return request
    }

    private func tell(_ what: String, _ handle: UInt16, _ consequence: String) {
        let handle = String(hexadecimal: handle, digits: 4)
        replay.tell(device.identity.address, "No such \(what) of handle 0x\(handle) is recorded; \(consequence)")
    }
}

/// A request of a client.
@BlueZServerActor final class ReplayRequest: RadioOperation {
    private var completion: RadioLink.Completion?
    var ended: (@BlueZServerActor (ReplayRequest) -> Void)?
    var timer: BlueZServerActor.ScheduledCall?
    /// The questions before the response.
    var steps: ReplayQuestions?

    init(_ completion: @escaping RadioLink.Completion) {
        self.completion = completion
    }

    /// Ends the request soon, and not before the caller has it.
    @discardableResult
    func end(_ result: Result<[UInt8], LinkError>) -> ReplayRequest {
        timer = BlueZServerActor.schedule(after: .zero) { self.finish(result) }
        return self
    }

    func finish(_ result: Result<[UInt8], LinkError>) {
        let completion = completion
        cancel()
        completion?(result)
    }

    func cancel() {
        completion = nil
        timer?.cancel()
        timer = nil
        steps = nil
        ended?(self)
        ended = nil
    }
}
