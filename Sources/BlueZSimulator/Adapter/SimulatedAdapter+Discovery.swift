import DBus

extension SimulatedAdapter {
    private func index(_ owner: String) -> Int? {
        clients.firstIndex { $0.owner == owner }
    }

    /// start_discovery(): one session for each unique bus name.
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
            for peripheral in air.peripherals { listen(to: peripheral) }
        } else {
            reports.values.forEach { $0.cancel() }
            reports.removeAll()
        }
    }

    /// discovery_cleanup(): signal strengths expire, devices that cannot be connected to are forgotten.
    func endDiscovery() {
        let heard = found
        found.removeAll()
        for device in heard { device.forgetSignalStrength() }
        for device in devices where device.isTemporary && !device.isConnectable { remove(device) }
    }

    /// Starts or ends the reports of a peripheral.
    func advertisingChanged(_ peripheral: SimulatedPeripheral) {
        device(of: peripheral)?.tryAttempt()
        listen(to: peripheral)
    }

    private func listen(to peripheral: SimulatedPeripheral) {
        let key = ObjectIdentifier(peripheral)
        reports.removeValue(forKey: key)?.cancel()
        guard isListening, peripheral.isAdvertising, !peripheral.isConnected else { return }
        reports[key] = SimulatorActor.schedule(after: .zero) { [weak self, weak peripheral] in
            if let self, let peripheral { self.report(peripheral) }
        }
    }

    private func report(_ peripheral: SimulatedPeripheral) {
        guard isListening, peripheral.isAdvertising, !peripheral.isConnected else { return }
        heard(peripheral)
        let interval = max(peripheral.advertisement.interval, .milliseconds(1))
        reports[ObjectIdentifier(peripheral)] = SimulatorActor.schedule(after: interval) {
            [weak self, weak peripheral] in
            if let self, let peripheral { self.report(peripheral) }
        }
    }

    /// btd_adapter_update_found_device() with the filters' rules.
    private func heard(_ peripheral: SimulatedPeripheral) {
        let data = peripheral.advertisement
        let sessions = sessions
        guard !sessions.isEmpty else { return overheard(peripheral) }
        let isFiltered = sessions.contains { $0.filter != nil }
        let isClassic = peripheral.specification.classic != nil
        var isWanted = isFiltered || isClassic || (data.flags ?? 0) & 0x03 != 0
        if isFiltered {
            isWanted = sessions.contains {
                $0.filter?.matches(data, rssi: peripheral.rssi, isClassic: isClassic) ?? true
            }
            let patterns = sessions.compactMap(\.filter).filter { $0.pattern != nil }
            if !patterns.isEmpty {
                isWanted =
                    isWanted
                    && patterns.contains { $0.matchesPattern(address: peripheral.address, name: data.localName) }
            }
        }
        guard isWanted, let device = findOrMake(peripheral) else { return }
        device.seen(connectable: data.isConnectable)
        device.update(
            data,
            rssi: peripheral.rssi,
            isFiltered: isFiltered,
            keepsNothing: sessions.contains { $0.filter?.allowsDuplicates == true }
        )
        if !found.contains(where: { $0 === device }) { found.insert(device, at: 0) }
        if !isClassic { notifyMonitors(of: device, data) }
    }

    /// Nobody discovers: only what a monitor looks for is taken.
    private func overheard(_ peripheral: SimulatedPeripheral) {
        let data = peripheral.advertisement
        guard peripheral.specification.classic == nil, monitorsMatch(data), let device = findOrMake(peripheral) else {
            return
        }
        device.seen(connectable: data.isConnectable)
        device.update(data, rssi: peripheral.rssi, isFiltered: false, keepsNothing: false)
        notifyMonitors(of: device, data)
    }

    /// The object of a peripheral, if this adapter knows it.
    func device(of peripheral: SimulatedPeripheral) -> Device? {
        devices.first { $0.address == peripheral.address }
    }

    func findOrMake(_ peripheral: SimulatedPeripheral) -> Device? {
        if let device = device(of: peripheral) { return device }
        let type = peripheral.specification.addressType
        guard let device = try? Device(address: peripheral.address, type: type, adapter: self) else { return nil }
        device.deviceClass = peripheral.specification.classic?.deviceClass
        devices.append(device)
        device.export()
        return device
    }
}
