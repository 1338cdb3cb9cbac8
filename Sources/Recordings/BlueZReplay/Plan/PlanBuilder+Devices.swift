import BlueZRecording
import BlueZServer
import BlueZValues

/// Devices' advertisements, properties, databases and values.
extension PlanBuilder {
    /// The most links that a mark concerns.
    private static let mostMarked = 16

    mutating func addMark() {
        let time = now
        for address in links.keys.prefix(Self.mostMarked) {
            change(address) { link in
                link.add(.request(link.requests.count), at: time)
                link.requests.append(RequestPlan(key: RequestPlan.Key(kind: .mark, handle: 0), time: time))
            }
        }
    }

    mutating func add(_ advertisement: RecordedAdvertisement) {
        modify(advertisement.device) { device in
            device.identity.addressType = advertisement.addressType
            if device.isKnown { device.state.name = device.state.name ?? advertisement.data.localName }
        }
        let report = AdvertisingReport(advertisement)
        if let discoveryBegan, !plan.discoveries.isEmpty {
            plan.discoveries[plan.discoveries.count - 1].append(ReportPlan(time: now - discoveryBegan, report: report))
        } else {
            otherReports.append(ReportPlan(time: now, report: report))
        }
    }

    /// Lets a scan begin with the devices with which the captured host has made links. They have advertised, whether
    /// the capture contains it or not, and early or late.
    mutating func addReportsOfLinks() {
        var links: [String: Int64] = [:]
        var reports: [String: AdvertisingReport] = [:]
        for device in devices.values {
            guard let first = device.attempts.first else { continue }
            links[device.identity.address] = first.time
            reports[device.identity.address] = AdvertisingReport(
                identity: device.identity, rssi: Int16(AdvertisementData.unavailableSignalStrength))
        }
        var heard: Set<String> = []
        for report in otherReports {
            let address = report.report.identity.address
            guard let link = links[address], heard.insert(address).inserted || report.time <= link else { continue }
            reports[address] = report.report
        }
        let first = reports.sorted { $0.key < $1.key }.map { ReportPlan(time: 0, report: $0.value) }
        otherReports = first + otherReports
    }

    mutating func beginDiscovery(_ number: Int64) {
        guard discoveryBegan == nil else { return }
        discoveryBegan = now
        plan.discoveries.append([])
        pending[number] = .discovery(plan.discoveries.count - 1)
    }

    mutating func endDiscovery() { discoveryBegan = nil }

    /// Forgets a discovery that bluetoothd has refused.
    mutating func refuseDiscovery(_ index: Int) {
        if index == plan.discoveries.count - 1 { plan.discoveries.removeLast() }
        discoveryBegan = nil
    }

    mutating func add(_ changed: RecordedDevice) {
        let isPairing = openPairings[changed.device] != nil
        let number = links[changed.device]
        let time = now
        modify(changed.device) { device in
            if let services = changed.services { device.setServices(services) }
            guard let number else {
                if device.isKnown, device.links.isEmpty { device.state.apply(changed) }
                return
            }
            var changes: [DeviceChange] = []
            if let name = changed.deviceName { changes.append(.name(Array(name.utf8))) }
            if let appearance = changed.appearance { changes.append(.appearance(appearance)) }
            if !isPairing {
                if let bonded = changed.bonded { changes.append(.isBonded(bonded)) }
                if let paired = changed.paired { changes.append(.isPaired(paired)) }
            }
            for change in changes { device.links[number].add(.change(change), at: time) }
            if changed.resolved == true { device.resolve(number, at: time) }
        }
    }

    mutating func add(_ database: RecordedDatabase) {
        let number = links[database.device]
        let time = now
        modify(database.device) { device in
            device.use(database)
            guard let number, let discovery = device.discovery else { return }
            device.links[number].update(discovery, isComplete: database.isComplete, at: time)
        }
    }

    mutating func add(_ value: RecordedValue) {
        if value.by == .signal, let clients = subscribers[value.device]?[value.handle]?.count, clients > 1 {
            let count = repeats[value.device]?[value.handle] ?? 0
            repeats[value.device, default: [:]][value.handle] = count + 1
            guard count % clients == 0 else { return }
        }
        let time = now
        guard links[value.device] == nil else {
            return change(value.device) { $0.add(.value(value.handle, value.value), at: time) }
        }
        // bluetoothd learns the end of a link from the kernel, and may read the last values after it (seen with 5.82).
        guard value.by == .socket, let last = devices[value.device]?.links.indices.last else { return }
        modify(value.device) { $0.links[last].addLate(value.value, of: value.handle, at: time) }
    }
}

extension DevicePlan {
    /// The services of a link are known.
    mutating func resolve(_ number: Int, at time: Int64) {
        guard !links[number].isResolved else { return }
        links[number].resolve(discovery ?? Discovery(services: []), isComplete: isComplete, at: time)
    }
}

extension StoredDevice {
    fileprivate mutating func apply(_ device: RecordedDevice) {
        name = device.deviceName ?? name
        alias = device.alias ?? alias
        appearance = device.appearance ?? appearance
        services = device.services ?? services
        isPaired = device.paired ?? isPaired
        isBonded = device.bonded ?? isBonded
        isTrusted = device.trusted ?? isTrusted
        isBlocked = device.blocked ?? isBlocked
    }
}
