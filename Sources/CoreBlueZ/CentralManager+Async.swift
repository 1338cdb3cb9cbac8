extension CentralManager {
    /// Waits until Bluetooth can be used; the async twin of `waitUntilPoweredOn(deadline:completion:)`.
    public func waitUntilPoweredOn(deadline: Duration = .zero) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWaiting(deadline, $0) }
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

    /// Scans until a peripheral fits, and returns it.
    ///
    /// - Parameters:
    ///   - services: as for scanning.
    ///   - deadline: how long to look.
    ///   - condition: whether this is the one; by default the first that is found.
    /// - Throws: `BluetoothError.Code.timedOut` where none was found in time, or why scanning failed.
    public func firstPeripheral(
        withServices services: [BluetoothUUID]? = nil,
        deadline: Duration = .seconds(30),
        where condition: @escaping @BluetoothActor (Peripheral, AdvertisementData) -> Bool = { (_, _) in true }
    ) async throws(BluetoothError) -> Peripheral {
        var result: Peripheral?
        let scan = Scan(services: services.map(Set.init), options: ScanOptions(duration: deadline)) { _, _, _ in }
        scan.found = { [weak scan] peripheral, advertisement, _ in
            guard result == nil, condition(peripheral, advertisement) else { return }
            result = peripheral
            scan?.operation?.succeed(())
        }
        try await AsyncBridge.wait { startScan(scan, $0) }
        guard let result else { throw BluetoothError(.timedOut, "No such peripheral was found within \(deadline)") }
        return result
    }
}
