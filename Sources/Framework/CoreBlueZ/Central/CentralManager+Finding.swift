import BlueZClient
import BlueZPrintableText

extension CentralManager {
    /// Scans until a peripheral matches.
    ///
    /// The operation fails with `timedOut` if no peripheral matches within the timeout, and with the same codes as
    /// `scanForPeripherals(withServices:options:found:completion:)`. A connected peripheral usually does not advertise,
    /// and so isn't found; see `retrieveConnectedPeripherals(withServices:)`.
    ///
    /// - Parameters:
    ///   - services: finds only peripherals that advertise one of these services; nil finds all.
    ///   - timeout: how long to scan; 30 s by default.
    ///   - transport: whether to look for LE devices (the default), classic devices, or both.
    ///   - condition: returns whether a peripheral matches. By default, the first one does.
    ///   - completion: gets the peripheral, or the error.
    public func firstPeripheral(
        withServices services: [BluetoothUUID]? = nil,
        timeout: Duration = .seconds(30),
        transport: BluetoothTransport = .le,
        where condition: @escaping @BluetoothActor (Peripheral, AdvertisementData) -> Bool = { (_, _) in true },
        completion: @escaping @BluetoothActor (Peripheral?, BluetoothError?) -> Void
    ) {
        startFinding(Peripheral.self, services, timeout, transport, condition) { $0.split(completion) }
    }

    /// Scans until a peripheral matches, and returns it; the async form of
    /// `firstPeripheral(withServices:timeout:transport:where:completion:)`.
    public func firstPeripheral(
        withServices services: [BluetoothUUID]? = nil,
        timeout: Duration = .seconds(30),
        transport: BluetoothTransport = .le,
        where condition: @escaping @BluetoothActor (Peripheral, AdvertisementData) -> Bool = { (_, _) in true }
    ) async throws(BluetoothError) -> Peripheral {
        try await AsyncBridge.wait { startFinding(Peripheral.self, services, timeout, transport, condition, $0) }
    }

    /// Scans until it finds a peripheral of a class that `makePeripheral` or `peripheralBuilder` creates.
    ///
    /// ```swift
    /// central.firstPeripheral(as: Tag.self) { tag, error in … }
    /// ```
    ///
    /// The parameters and errors are those of `firstPeripheral(withServices:timeout:transport:where:completion:)`.
    public func firstPeripheral<Kind: Peripheral>(
        as type: Kind.Type,
        withServices services: [BluetoothUUID]? = nil,
        timeout: Duration = .seconds(30),
        transport: BluetoothTransport = .le,
        where condition: @escaping @BluetoothActor (Kind, AdvertisementData) -> Bool = { (_, _) in true },
        completion: @escaping @BluetoothActor (Kind?, BluetoothError?) -> Void
    ) {
        startFinding(type, services, timeout, transport, condition) { $0.split(completion) }
    }

    /// Scans until it finds a peripheral of a class, and returns it; the async form of
    /// `firstPeripheral(as:withServices:timeout:transport:where:completion:)`.
    public func firstPeripheral<Kind: Peripheral>(
        as type: Kind.Type,
        withServices services: [BluetoothUUID]? = nil,
        timeout: Duration = .seconds(30),
        transport: BluetoothTransport = .le,
        where condition: @escaping @BluetoothActor (Kind, AdvertisementData) -> Bool = { (_, _) in true }
    ) async throws(BluetoothError) -> Kind {
        try await AsyncBridge.wait { startFinding(type, services, timeout, transport, condition, $0) }
    }

    @discardableResult
    private func startFinding<Kind: Peripheral>(
        _ type: Kind.Type,
        _ services: [BluetoothUUID]?,
        _ timeout: Duration,
        _ transport: BluetoothTransport,
        _ condition: @escaping @BluetoothActor (Kind, AdvertisementData) -> Bool,
        _ completion: @escaping @BluetoothActor (Result<Kind, BluetoothError>) -> Void
    ) -> Operation<Void> {
        var result: Kind?
        let options = ScanOptions(duration: timeout, transport: transport)
        let scan = Scan(services: services.map(Set.init), options: options) { _, _, _ in }
        scan.found = { [weak scan] peripheral, advertisement, _ in
            guard result == nil, let fitting = peripheral as? Kind, condition(fitting, advertisement) else { return }
            result = fitting
            scan?.operation?.succeed(())
        }
        return startScan(scan) { outcome in
            let error =
                outcome.failure
                ?? BluetoothError(
                    .timedOut,
                    "No such peripheral was found within \(timeout.roundedText); is it on, in range and not connected?")
            completion(result.map { .success($0) } ?? .failure(error))
        }
    }
}
