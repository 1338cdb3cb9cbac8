import BlueZRecording
import BlueZServer
import BlueZValues

/// Requests and their responses. Requests without a link fail in the server.
extension PlanBuilder {
    mutating func add(_ request: RecordedRequest) {
        switch request.operation {
        case .discover: beginDiscovery(request.number)
        case .stopDiscovery: endDiscovery()
        case .power: requestedPower = request.setting["powered"].map { $0 == "true" }
        default:
            guard let address = request.device else { return }
            if let number = links[address] {
                add(request, address, number)
            } else if request.operation == .connect || request.operation == .pair {
                attempt(request, address)
            } else if request.operation == .disconnect {
                cancelAttempt(address)
            }
        }
    }

    private mutating func attempt(_ request: RecordedRequest, _ address: BluetoothAddress) {
        let time = now
        if request.operation == .pair { pairings[address] = request.number }
        let index = modify(address) { $0.addAttempt(time) }
        pending[request.number] = .attempt(address, index)
    }

    /// The client ended an attempt, so that nothing is known of how it would have ended.
    private mutating func cancelAttempt(_ address: BluetoothAddress) {
        modify(address) { device in
            if let open = device.openAttempt { device.attempts[open].isOver = true }
        }
    }

    private mutating func add(_ request: RecordedRequest, _ address: BluetoothAddress, _ number: Int) {
        let key: RequestPlan.Key
        let handle = request.handle ?? 0
        switch request.operation {
        case .read:
            // Requests for several attributes are the host's own.
            guard request.handle != nil else { return pending[request.number] = .values(address) }
            key = RequestPlan.Key(kind: .read, handle: handle, offset: request.offset ?? 0)
        case _ where request.operation.isWrite: key = RequestPlan.Key(kind: .write, handle: handle)
        case .notify, .acquireNotify: key = RequestPlan.Key(kind: .notify, handle: handle)
        case .pair: key = RequestPlan.Key(kind: .pair, handle: 0)
        case .stopNotify:
            subscribers[address]?[handle]?.remove(request.client ?? "")
            return
        case .disconnect, .remove:
            let time = now
            return modify(address) { $0.links[number].ending = $0.links[number].ending ?? (time, 0) }
        case .services:
            modify(address) { $0.links[number].isDiscovering = true }
            return pending[request.number] = .services(address, link: number)
        default: return
        }
        let client = request.client ?? ""
        if key.kind == .notify, let clients = subscribers[address]?[handle], !clients.isEmpty {
            // bluetoothd is the only one that knows of another client's subscription.
            subscribers[address]?[handle]?.insert(client)
            return
        }
        add(key, request, address, number)
        if key.kind == .notify { subscribers[address, default: [:]][handle, default: []].insert(client) }
    }

    private mutating func add(
        _ key: RequestPlan.Key, _ request: RecordedRequest, _ address: BluetoothAddress, _ number: Int
    ) {
        let time = now
        var plan = RequestPlan(key: key, written: request.value, time: time)
        // What a client sends through the socket of AcquireWrite has no response.
        if request.operation == .command, request.setting["by"] != nil { plan.finish(.success([]), at: time) }
        let (isConfiguration, index) = modify(address) { device in
            if key.kind == .write, let handle = device.database?.valueHandle(configuredBy: key.handle) {
                plan.key = RequestPlan.Key(kind: .notify, handle: handle)
            }
            // Switching notifications off is no request that values depend on.
            if plan.key.kind == .notify, key.kind == .write, plan.written?.first == 0 { return (true, 0) }
            let index = device.links[number].requests.count
            device.links[number].requests.append(plan)
            device.links[number].add(.request(index), at: time)
            return (false, index)
        }
        guard !isConfiguration else { return }
        pending[request.number] = .request(address, link: number, index)
        if key.kind == .pair { openPairings[address] = index }
    }

    // MARK: Responses

    mutating func add(_ response: RecordedResponse) {
        guard let request = pending.removeValue(forKey: response.number) else { return }
        switch request {
        case .attempt(let address, let index): end(attempt: index, of: address, response)
        case .request(let address, let link, let index): end(index, of: address, link, response)
        case .services(let address, let link):
            let time = now
            if response.failure == nil { modify(address) { $0.resolve(link, at: time) } }
        case .values(let address):
            modify(address) { device in
                for value in response.values ?? [] { device.valuesByType[value.handle] = value.value }
            }
        case .discovery(let index): if response.failure != nil { refuseDiscovery(index) }
        }
    }

    private mutating func end(attempt index: Int, of address: BluetoothAddress, _ response: RecordedResponse) {
        let time = now
        let pairing = pairings.removeValue(forKey: address)
        let failure = response.failure.flatMap { BlueZFailure($0) }
        let isUp = links[address] != nil
        let makesLink = modify(address) { device in
            defer { device.attempts[index].isOver = true }
            switch device.attempts[index].outcome {
            case .pending where response.failure == nil: return true
            case .pending:
                guard !device.attempts[index].isOver else { return false }
                device.attempts[index].isRefused = response.isRefusal
                guard let failure else { return false }
                device.attempts[index].outcome = .failure(failure)
                device.attempts[index].latency = time - device.attempts[index].time
            case .link(let link):
                if let failure, !isUp { device.attempts[index].outcome = .loss(link, failure) }
                device.attempts[index].failure = failure
            case .loss, .failure: break
            }
            return false
        }
        // bluetoothd 5.66 does not always signal that a device is connected.
        guard makesLink, !isUp else { return }
        if let pairing { pairings[address] = pairing }
        modify(address) { $0.attempts[index].isOver = false }
        begin(RecordedConnection(device: address))
        change(address) { $0.isFromResponse = true }
    }

    private mutating func end(
        _ index: Int, of address: BluetoothAddress, _ link: Int, _ response: RecordedResponse
    ) {
        let time = now
        // An error that came because the link ended does so again.
        guard links[address] == link else { return }
        let handle = modify(address) { device -> UInt16? in
            device.links[link].end(index, with: response, at: time)
            let key = device.links[link].requests[index].key
            return key.kind == .notify && response.failure != nil ? key.handle : nil
        }
        if let handle { subscribers[address]?[handle] = nil }
        if openPairings[address] == index { openPairings[address] = nil }
    }

    // MARK: Pairing

    mutating func add(_ pairing: RecordedPairing) {
        guard let number = links[pairing.device] else { return }
        let pair = openPairings[pairing.device]
        let time = now
        openPairings[pairing.device] = modify(pairing.device) { device -> Int? in
            switch (pairing.step, pairing.method) {
            case ("begun", _):
                guard pair == nil else { return nil }
                device.links[number].requests.append(
                    RequestPlan(key: RequestPlan.Key(kind: .pair, handle: 0), time: time))
                return device.links[number].requests.count - 1
            case ("question", let method?):
                // An attribute's security may have begun the pairing.
                device.links[number].ask(QuestionPlan(method: method, time: time), of: pair)
            case ("confirmed", let method?): device.links[number].answer(method, true, at: time)
            case ("failed", let method?): device.links[number].answer(method, false, at: time)
            case ("ended", let method?): device.links[number].answer(method, nil, at: time)
            case ("failed", nil):
                guard let pair else { return nil }
                device.links[number].requests[pair].finish(.failure(.bus(BlueZError.authenticationFailed)), at: time)
                return nil
            case ("ended", nil):
                if let pair { device.links[number].requests[pair].finish(.success([]), at: time) }
                return nil
            default: break
            }
            return pair
        }
    }
}
