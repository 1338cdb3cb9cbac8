import BlueZRecording
import BlueZServer
import BlueZValues

/// Links and adapters.
extension PlanBuilder {
    /// How long before a change of the adapter a link may have ended because of it, in microseconds.
    private static let consequence: Int64 = 1_000_000

    mutating func begin(_ connection: RecordedConnection) {
        let address = connection.device
        if complete(with: connection) { return }
        close(address)
        let (time, origin) = (now, origin)
        let pairing = pairings.removeValue(forKey: address)
        lastAdapterChange = nil
        let number = modify(address) { device in
            if let type = connection.addressType { device.identity.addressType = type }
            var link = LinkPlan(began: time)
            link.mtu = connection.mtu ?? link.mtu
            if pairing != nil {
                link.requests.append(RequestPlan(key: RequestPlan.Key(kind: .pair, handle: 0), time: time))
                link.add(.request(0), at: time)
            }
            let number = device.links.count
            device.links.append(link)
            if let attempt = device.openAttempt {
                device.attempts[attempt].outcome = .link(number)
                device.attempts[attempt].latency = time - device.attempts[attempt].time
            } else if origin == .capture, connection.incoming != true {
                device.addAttempt(time, endingAs: number)
            } else {
                device.incoming.append(number)
            }
            return number
        }
        links[address] = number
        guard let pairing else { return }
        pending[pairing] = .request(address, link: number, 0)
        openPairings[address] = 0
    }

    /// Completes a link that the response to Connect has begun, because it came first.
    private mutating func complete(with connection: RecordedConnection) -> Bool {
        guard let number = links[connection.device] else { return false }
        return modify(connection.device) { device in
            guard device.links[number].isFromResponse, device.links[number].steps.isEmpty else { return false }
            device.identity.addressType = connection.addressType ?? device.identity.addressType
            device.links[number].mtu = connection.mtu ?? device.links[number].mtu
            device.links[number].isFromResponse = false
            return true
        }
    }

    mutating func end(_ end: RecordedDisconnection) {
        let address = end.device
        guard let number = links[address] else { return }
        let time = now
        let isWanted = end.by == .here
        let reason: LinkEnd =
            switch end.by {
            case .here: .local
            case .there: .remote
            case .lost: .timeout
            case nil: .unknown
            }
        if reason == .remote || reason == .timeout { plan.hasLinkEnds = true }
        modify(address) { device in
            if device.links[number].ending != nil || isWanted {
                device.links[number].ending = device.links[number].ending.map { ($0.asked, time - $0.asked) }
            } else {
                device.links[number].add(.loss(reason), at: time)
                device.failAttempt(number)
            }
        }
        if !isWanted { losses.append((address, number, time)) }
        close(address)
    }

    /// Forgets the link that a device has.
    mutating func close(_ address: BluetoothAddress) {
        guard let number = links.removeValue(forKey: address) else { return }
        subscribers[address] = nil
        openPairings[address] = nil
        let (time, origin) = (now, origin)
        modify(address) { device in
            device.links[number].close(
                device.discovery ?? Discovery(services: []), isComplete: device.isComplete,
                isKnown: origin == .capture && device.isComplete, at: time)
        }
    }

    mutating func add(_ adapter: RecordedAdapter) {
        let isRemoved = adapter.removed == true
        guard plan.adapters.contains(where: { $0.adapter == adapter.adapter }) else {
            if !isRemoved { plan.adapters.append(adapter) }
            return
        }
        if isRemoved {
            add(.unplugged)
        } else if let last = lastAdapterChange, wasRemoved(last) {
            add(.plugged)
        } else if let powered = adapter.powered {
            if requestedPower == powered { requestedPower = nil } else { add(.power(powered)) }
        }
    }

    private func wasRemoved(_ last: (device: BluetoothAddress, link: Int, time: Int64)) -> Bool {
        guard case .adapter(_, let change)? = devices[last.device]?.links[last.link].steps.last?.action else {
            return false
        }
        switch change {
        case .unplugged, .stopped: return true
        case .power, .plugged: return false
        }
    }

    /// bluetoothd is gone, and its adapters with it.
    mutating func daemonLeft() {
        guard let last = lastAdapterChange, wasRemoved(last), now - last.time < Self.consequence else {
            return add(.stopped)
        }
        modify(last.device) { $0.links[last.link].replaceLast(.adapter(delay: 0, .stopped)) }
    }

    /// Adds a change of the adapter to the link that was up, or that ended because of it. Without one, it is left out.
    private mutating func add(_ change: AdapterChange) {
        let time = now
        losses.removeAll { time - $0.time > Self.consequence }
        if let last = lastAdapterChange {
            let delay = time - last.time
            modify(last.device) { $0.links[last.link].add(.adapter(delay: delay, change), at: time) }
            lastAdapterChange = (last.device, last.link, time)
        } else if let loss = losses.last {
            modify(loss.device) { $0.links[loss.link].replaceLast(.adapter(delay: 0, change)) }
            lastAdapterChange = loss
            lastAdapterChange?.time = time
        } else if let (address, number) = links.first {
            modify(address) { $0.links[number].add(.adapter(delay: 0, change), at: time) }
            lastAdapterChange = (address, number, time)
        }
    }
}

extension DevicePlan {
    /// bluetoothd may reply to Connect that the link is lost before it says that it is gone (seen with 5.55).
    fileprivate mutating func failAttempt(_ number: Int) {
        guard let last = currentAttempt, case .link(number) = attempts[last].outcome,
            let failure = attempts[last].failure, !links[number].isResolved
        else { return }
        attempts[last].outcome = .loss(number, failure)
    }
}
