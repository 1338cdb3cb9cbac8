import BlueZDBus

extension Adapter {
    private func index(_ owner: String) -> Int? {
        clients.firstIndex { $0.owner == owner }
    }

    /// start_discovery(): one session per unique bus name.
    func startDiscovery(_ call: IncomingCall) {
        guard isPowered else { return call.fail(BlueZError.notReady) }
        let index: Int
        if let known = self.index(call.sender) {
            guard !clients[known].isDiscovering else { return call.fail(BlueZError.discoveryInProgress) }
            index = known
        } else {
            clients.append(DiscoveryClient(owner: call.sender))
            index = clients.count - 1
        }
        clients[index].isDiscovering = true
        call.reply()
        discoveryChanged()
    }

    /// set_discovery_filter(): keeps a filter for later, or changes the filter of a running session.
    func setDiscoveryFilter(_ call: IncomingCall) {
        guard isPowered else { return call.fail(BlueZError.notReady) }
        var reader = call.reader
        let filter: DiscoveryFilter?
        do throws(DBusError) {
            filter = try DiscoveryFilter.read(&reader)
        } catch {
            return call.fail(BlueZError.invalidArguments)
        }
        if let index = index(call.sender) {
            clients[index].filter = filter
            if filter == nil, !clients[index].isDiscovering { clients.remove(at: index) }
        } else if let filter {
            clients.append(DiscoveryClient(owner: call.sender, filter: filter))
        }
        call.reply()
    }

    /// stop_discovery()
    func stopDiscovery(_ call: IncomingCall) {
        guard isPowered else { return call.fail(BlueZError.notReady) }
        guard let index = index(call.sender), clients[index].isDiscovering else {
            return call.fail(BlueZError.failed("No discovery started"))
        }
        clients[index].isDiscovering = false
        if clients[index].filter == nil { clients.remove(at: index) }
        call.reply()
        discoveryChanged()
    }

    private var sessions: [DiscoveryClient] { clients.filter(\.isDiscovering) }

    /// Starts or stops listening, as the sessions require.
    func discoveryChanged() {
        let wanted = isPowered && !sessions.isEmpty
        guard wanted != isDiscovering else { return }
        isDiscovering = wanted
        if !wanted { endDiscovery() }
        listeningChanged()
        changed("Discovering")
    }

    /// Listens while there is a session or an active monitor.
    func listeningChanged() {
        let wanted = isPowered && isPresent && (isDiscovering || activeMonitorCount > 0)
        guard wanted != isListening else { return }
        isListening = wanted
        if wanted {
            radio.startListening()
        } else {
            radio.stopListening()
        }
    }

    /// discovery_cleanup(): signal strengths expire, and devices that are not connectable are forgotten.
    func endDiscovery() {
        let devices = devices
        let found = devices.filter { $0.foundNumber != nil }.sorted { ($0.foundNumber ?? 0) > ($1.foundNumber ?? 0) }
        for device in found {
            device.foundNumber = nil
            device.forgetSignalStrength()
        }
        for device in devices where device.isTemporary && !device.isConnectable { remove(device) }
    }
}

extension Adapter: RadioHost {
    /// btd_adapter_update_found_device() with the filters' rules.
    package func heard(_ report: AdvertisingReport) {
        guard isListening else { return }
        let sessions = sessions
        guard !sessions.isEmpty else { return overheard(report) }
        let isFiltered = sessions.contains { $0.filter != nil }
        var isWanted = isFiltered || report.isClassic || report.isDiscoverable
        if isFiltered {
            isWanted = sessions.contains { $0.filter?.matches(report) ?? true }
            let patterns = sessions.compactMap(\.filter).filter { $0.pattern != nil }
            if !patterns.isEmpty {
                isWanted =
                    isWanted
                    && patterns.contains {
                        $0.matchesPattern(address: report.identity.address, name: report.data.localName)
                    }
            }
        }
        guard isWanted, let device = findOrMake(report.identity) else { return }
        device.seen(connectable: report.isConnectable)
        device.update(
            report, isFiltered: isFiltered, keepsNothing: sessions.contains { $0.filter?.allowsDuplicates == true })
        if device.foundNumber == nil {
            foundCount += 1
            device.foundNumber = foundCount
        }
        if !report.isClassic { notifyMonitors(of: device, report) }
    }

    /// Handles a report without a discovery. Only devices that a monitor looks for are reported.
    private func overheard(_ report: AdvertisingReport) {
        guard !report.isClassic, monitorsMatch(report), let device = findOrMake(report.identity) else { return }
        device.seen(connectable: report.isConnectable)
        device.update(report, isFiltered: false, keepsNothing: false)
        notifyMonitors(of: device, report)
    }
}
