import DBus

extension CentralManager {
    /// Whether a scan of this manager is under way.
    public var isScanning: Bool { scans.values.contains { $0.target == nil } }

    /// Looks for peripherals until `stopScan`, or the options' duration, or an error.
    ///
    /// - Parameters:
    ///   - services: report only peripherals that advertise one of these; nil reports all.
    ///   - options: duplicates, signal strength, duration, passive scanning.
    ///   - found: called with each peripheral that advertises, what it tells, and how strong it is received in dBm
    ///     where that is known. Without duplicates: at first, and again when the advertisement tells something new.
    ///   - completion: runs once, when the scan has ended: nil after `stopScan` or the duration.
    public func scanForPeripherals(
        withServices services: [BluetoothUUID]? = nil,
        options: ScanOptions = ScanOptions(),
        found: @escaping @BluetoothActor (Peripheral, AdvertisementData, Int?) -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startScan(Scan(services: services.map(Set.init), options: options, found: found)) { completion($0.failure) }
    }

    /// Scans until it is stopped or its duration is over; the async twin of the same method with a completion. The
    /// task's cancellation ends the scan.
    public func scanForPeripherals(
        withServices services: [BluetoothUUID]? = nil,
        options: ScanOptions = ScanOptions(),
        found: @escaping @BluetoothActor (Peripheral, AdvertisementData, Int?) -> Void
    ) async throws(BluetoothError) {
        let scan = Scan(services: services.map(Set.init), options: options, found: found)
        try await AsyncBridge.wait { startScan(scan, $0) }
    }

    /// Begins the scan that the program usually wants, and returns when it has ended; the async twin of
    /// `startScan(completion:)`, which it calls. The task's cancellation ends all scans of this manager.
    public func startScan() async throws(BluetoothError) {
        try await AsyncBridge.wait { completion in
            let operation = Operation<Void>(
                "Scanning", on: nil, needsConnection: false, limit: nil, in: operations, completion: completion)
            operation.whenEnded { [weak self] error in
                if error != nil { self?.stopScan() }
            }
            startScan { operation.finish($0.map { .failure($0) } ?? .success(())) }
            return operation
        }
    }

    /// Ends all scans of this manager; their completions get nil.
    public func stopScan() {
        for scan in scans.values where scan.target == nil { scan.operation?.succeed(()) }
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
        operation.whenEnded { [weak self] _ in
            scan.leave()
            self?.scans[key] = nil
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
            return operation.fail(BluetoothError(.adapterGone, BluetoothError.adapterAdvice))
        }
        watchDuration(scan, operation)
        if let patterns = scan.options.passivePatterns {
            return beginPassively(scan, operation, patterns, on: adapterPath)
        }
        let discovery = client.discovery(on: adapterPath)
        scan.discovery = discovery
        discovery.add(
            ObjectIdentifier(scan),
            allowDuplicates: scan.options.allowDuplicates,
            started: { [weak self] in self?.reportPresent(scan, below: adapterPath) },
            failed: { [weak self, weak operation] error in self?.interrupt(scan, operation, error) }
        )
    }

    /// Begins or resumes a scan that only listens.
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
        scan.monitor = monitor
        monitor.start()
    }

    /// The scan ends with the error, or goes on when what ended it has passed.
    func interrupt(_ scan: Scan, _ operation: Operation<Void>?, _ error: BluetoothError) {
        guard let operation, operation.isPending else { return }
        guard scan.options.resumes, Self.passingCodes.contains(error.code) else { return operation.fail(error) }
        scan.discovery = nil
        scan.monitor = nil
        scan.reported = [:]
        // What ended the scan may not be in the state yet.
        BluetoothActor.later { [weak self, weak operation] in
            guard let self, let operation, operation.isPending else { return }
            self.waitAndBegin(scan, operation)
        }
    }

    /// The time runs from the first start on.
    private func watchDuration(_ scan: Scan, _ operation: Operation<Void>) {
        guard let duration = scan.options.duration, !scan.hasBegun else { return }
        scan.hasBegun = true
        let token = BluetoothActor.after(duration) { [weak operation] in operation?.succeed(()) }
        operation.whenEnded { _ in token.cancel() }
    }

    /// What ends a scan that may go on later.
    private static var passingCodes: Set<BluetoothError.Code> {
        [.daemonUnavailable, .busUnavailable, .adapterGone, .adapterOff]
    }

    /// A device with a signal strength is being received already, for another scan: bluetoothd takes the property back
    /// when scanning stops. Others are only remembered and not reported.
    private func reportPresent(_ scan: Scan, below adapter: ObjectPath) {
        let present = client.mirror.devices.filter { $0.value.rssi != nil && adapter.contains($0.key) }
        for (path, device) in present.sorted(by: { $0.key < $1.key }) { report(path, device, to: scan) }
    }

    /// Tells all scans of an advertisement.
    func reportAdvertisement(_ path: ObjectPath) {
        guard let device = client.mirror.devices[path] else { return }
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
        guard let adapterPath, adapterPath.contains(path) else { return }
        let advertisement = device.advertisement
        if let services = scan.services, services.isDisjoint(with: advertisement.serviceUUIDs) { return }
        if let minimum = scan.options.minimumRSSI, (device.rssi ?? Int.min) < minimum { return }
        if !scan.options.allowDuplicates, scan.reported[path] == advertisement { return }
        guard isKnownPeripheral(DiscoveredDevice(path: path, central: self)) else { return }
        let peripheral = peripheral(at: path)
        if !scan.options.allowDuplicates { scan.reported[path] = advertisement }
        store(peripheral)
        didFindPeripheral(peripheral, advertisement: advertisement, rssi: device.rssi)
        scan.found(peripheral, advertisement, device.rssi)
    }
}
