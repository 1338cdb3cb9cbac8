import BlueZClient
import BlueZDBus

extension CentralManager {
    /// Whether a scan of this manager is in progress, including one that waits for Bluetooth (`ScanOptions.resumes`).
    public var isScanning: Bool { scans.values.contains(where: \.isProgramsOwn) }

    /// Scans for peripherals until `stopScan` is called, the options' duration is over, or an error occurs.
    ///
    /// The scan fails with:
    /// - `adapterOff`, `adapterGone`, `daemonUnavailable`, `busUnavailable` or `accessDenied` if Bluetooth cannot be
    ///   used, or can no longer be used. With `ScanOptions.resumes`, the scan waits instead of failing with the first
    ///   four.
    /// - `busy` if the adapter refuses to scan for 13 s, or the bus has reached a limit.
    /// - `timedOut` if bluetoothd does not reply within 10 s, or does not begin a passive scan.
    /// - `notSupported` or `invalidArguments` if a passive scan is not supported, or its patterns are invalid.
    /// - `cancelled` if the manager is released, and `failed` if bluetoothd reports another error.
    ///
    /// - Parameters:
    ///   - services: reports only peripherals that advertise one of these services; nil reports all.
    ///   - options: the transport, the duration, the minimum signal strength and so on.
    ///   - found: called for each peripheral that advertises, with its advertisement data and its signal strength in
    ///     dBm, if known. Unless `ScanOptions.allowDuplicates` is true, it is called again only if the advertisement
    ///     contains something new.
    ///   - completion: runs once when the scan has ended. It gets nil after `stopScan` or the duration, otherwise the
    ///     error.
    public func scanForPeripherals(
        withServices services: [BluetoothUUID]? = nil,
        options: ScanOptions = ScanOptions(),
        found: @escaping @BluetoothActor (Peripheral, AdvertisementData, Int?) -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startScan(Scan(services: services.map(Set.init), options: options, found: found)) { completion($0.failure) }
    }

    /// Scans until the scan is stopped or its duration is over; the async form of
    /// `scanForPeripherals(withServices:options:found:completion:)`. Cancelling the task ends the scan.
    public func scanForPeripherals(
        withServices services: [BluetoothUUID]? = nil,
        options: ScanOptions = ScanOptions(),
        found: @escaping @BluetoothActor (Peripheral, AdvertisementData, Int?) -> Void
    ) async throws(BluetoothError) {
        let scan = Scan(services: services.map(Set.init), options: options, found: found)
        try await AsyncBridge.wait { startScan(scan, $0) }
    }

    /// Starts the program's usual scan, and returns when it has ended; the async form of `startScan(completion:)`,
    /// which it calls. Cancelling the task ends all scans of this manager.
    public func startScan() async throws(BluetoothError) {
        try await AsyncBridge.wait { completion in
            let operation = Operation<Void>(
                "Scanning", on: nil, needsConnection: false, limit: nil, in: operations, completion: completion)
            operation.whenEnded { [weak self] error in
                if error != nil { self?.stopScan() }
            }
            startScan { operation.finish(Result(failure: $0)) }
            return operation
        }
    }

    /// Ends all scans of this manager; their completions get nil.
    public func stopScan() {
        for scan in scans.values where scan.isProgramsOwn { scan.operation?.succeed(()) }
    }

    @discardableResult
    func startScan(
        _ scan: Scan,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            "Scanning", on: nil, needsConnection: false, limit: nil, in: operations, completion: completion
        )
        let key = ObjectIdentifier(scan)
        scan.operation = operation
        scans[key] = scan
        operation.whenEnded { [weak self] error in
            scan.leave()
            self?.scans[key] = nil
            self?.scanDidEnd(scan, error)
            self?.storedPeripherals?.writeSoon()
        }
        waitAndBegin(scan, operation)
        return operation
    }

    private func waitAndBegin(_ scan: Scan, _ operation: Operation<Void>) {
        let ready = startWaiting(scan.options.resumes ? nil : .zero) { [weak self, weak operation] result in
            guard let self, let operation, operation.isPending else { return }
            switch result {
            case .success: self.begin(scan, operation)
            case .failure(let error): operation.fail(error)
            }
        }
        operation.whenEnded { [weak ready] _ in ready?.fail(.cancelled("Scanning")) }
    }

    private func begin(_ scan: Scan, _ operation: Operation<Void>) {
        guard let adapterPath else {
            return operation.fail(
                BluetoothError(.adapterGone, BluetoothError.unavailable(BluetoothError.adapterSuggestion)))
        }
        watchDuration(scan, operation)
        if let patterns = scan.options.passivePatterns {
            return beginPassively(scan, operation, patterns, on: adapterPath)
        }
        let discovery = client.discovery(on: adapterPath)
        scan.discovery = discovery
        discovery.add(
            ObjectIdentifier(scan),
            transport: scan.options.transport,
            allowDuplicates: scan.options.allowDuplicates,
            started: { [weak self] in
                self?.scanDidBegin(scan)
                self?.reportPresent(scan, below: adapterPath)
            },
            failed: { [weak self, weak operation] error in self?.interrupt(scan, operation, error) }
        )
    }

    /// Begins or resumes a passive scan.
    private func beginPassively(
        _ scan: Scan,
        _ operation: Operation<Void>,
        _ patterns: [AdvertisementPattern],
        on adapter: ObjectPath
    ) {
        let monitor = PassiveMonitor(
            patterns, on: adapter, client,
            found: { [weak self, weak scan] path in
                guard let self, let scan, let device = self.client.mirror.devices[path] else { return }
                self.report(path, device, to: scan)
            },
            lost: { [weak scan] path in scan?.reported[path] = nil },
            failed: { [weak self, weak scan, weak operation] error in
                if let scan { self?.interrupt(scan, operation, error) }
            }
        )
        monitor.activated = { [weak self, weak scan] in if let scan { self?.scanDidBegin(scan) } }
        scan.monitor = monitor
        monitor.start()
    }

    /// Ends the scan with the error or, if the scan resumes, begins it again when Bluetooth can be used.
    func interrupt(_ scan: Scan, _ operation: Operation<Void>?, _ error: BluetoothError) {
        guard let operation, operation.isPending else { return }
        guard scan.options.resumes, Self.passingCodes.contains(error.code) else { return operation.fail(error) }
        scan.discovery = nil
        scan.monitor = nil
        scan.reported = [:]
        scanDidEnd(scan, error)
        // `state` may not have changed yet.
        BluetoothActor.perform { [weak self, weak operation] in
            guard let self, let operation, operation.isPending else { return }
            self.waitAndBegin(scan, operation)
        }
    }

    private func scanDidBegin(_ scan: Scan) {
        guard scan.isProgramsOwn, scan.operation?.isPending == true, !scan.isUnderWay else { return }
        let isFirst = !scans.values.contains(where: \.isUnderWay)
        scan.isUnderWay = true
        guard isFirst else { return }
        didBeginScanning()
        tell(.scanBegan)
    }

    private func scanDidEnd(_ scan: Scan, _ error: BluetoothError?) {
        guard scan.isUnderWay else { return }
        scan.isUnderWay = false
        guard !scans.values.contains(where: \.isUnderWay) else { return }
        didEndScanning(error)
        tell(.scanEnded(error))
    }

    /// Starts the duration when the scan first begins.
    private func watchDuration(_ scan: Scan, _ operation: Operation<Void>) {
        guard let duration = scan.options.duration, !scan.hasBegun else { return }
        scan.hasBegun = true
        let token = BluetoothActor.after(duration) { [weak operation] in operation?.succeed(()) }
        operation.whenEnded { _ in token.cancel() }
    }

    /// The errors after which a scan that resumes can continue.
    static var passingCodes: Set<BluetoothError.Code> {
        [.daemonUnavailable, .busUnavailable, .adapterGone, .adapterOff]
    }

    /// Reports the devices that another scan is already receiving. They have the property RSSI, which bluetoothd
    /// removes when scanning stops. The other devices are only remembered.
    private func reportPresent(_ scan: Scan, below adapter: ObjectPath) {
        let present = client.mirror.devices.filter { $0.value.isHeard && $0.value.isOn(adapter) }
        for (path, device) in present.sorted(by: { $0.key < $1.key }) { report(path, device, to: scan) }
    }

    /// Reports an advertisement to the scans that look for it.
    func reportAdvertisement(_ path: ObjectPath, _ device: DeviceProperties) {
        for scan in scans.values where scan.hears(path) {
            scan.monitor?.wasReported(path)
            report(path, device, to: scan)
        }
    }

    func report(_ path: ObjectPath, _ device: DeviceProperties, to scan: Scan) {
        guard scan.operation?.isPending == true else { return }
        if let target = scan.target {
            if target == path { scan.operation?.succeed(()) }
            return
        }
        guard device.isOn(adapterPath) else { return }
        if let address = scan.address, address != device.address { return }
        if scan.options.transport == .bredr, scan.isForeign(device) { return }
        let advertisement = device.advertisement
        if let services = scan.services, services.isDisjoint(with: advertisement.serviceUUIDs) { return }
        if let minimum = scan.options.minimumRSSI, (device.rssi ?? Int.min) < minimum { return }
        if !scan.options.allowDuplicates, scan.reported[path] == advertisement { return }
        guard scan.address != nil || isKnownPeripheral(DiscoveredDevice(path: path, central: self)) else { return }
        let peripheral = peripheral(at: path)
        if !scan.options.allowDuplicates { scan.reported[path] = advertisement }
        if scan.isProgramsOwn {
            store(peripheral)
            didFindPeripheral(peripheral, advertisement: advertisement, rssi: device.rssi)
        }
        scan.found(peripheral, advertisement, device.rssi)
    }
}
