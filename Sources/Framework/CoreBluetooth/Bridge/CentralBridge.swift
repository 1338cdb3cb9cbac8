import CoreBlueZ

/// CoreBlueZ's side of a central manager. It knows devices by identifiers and attributes by tokens, and never sees the
/// objects of the manager's queue.
@BluetoothActor final class CentralBridge {
    nonisolated let mailbox: Mailbox
    nonisolated let directory = PeripheralDirectory()
    nonisolated let bus: BusAddress
    private(set) var central: CentralManager?
    private var peripherals: [UUID: BridgedPeripheral] = [:]
    private var connections: [UUID: BridgedConnection] = [:]
    private var scan: (number: Int, task: Task<Void, Never>)?
    private var search: Task<Void, Never>?

    nonisolated init(_ mailbox: Mailbox, _ bus: BusAddress) {
        self.mailbox = mailbox
        self.bus = bus
    }

    var isPoweredOn: Bool { central?.state == .poweredOn }

    func start(adapter: String?, store: String?) {
        let central = CentralManager(bus: bus, adapter: adapter)
        self.central = central
        central.listsFoundDevices = true
        if let store { central.storedPeripherals = open(store) }
        central.peripheralBuilder = { [weak self] device in
            guard let self else { return Peripheral(device) }
            return BridgedPeripheral(device, self)
        }
        central.registryHandler = { [weak self] _, change in self?.registryDidChange(change) }
        central.eventHandler = { [weak self] event in self?.handle(event) }
        central.stateHandler = { [weak self] central in self?.stateDidChange(central) }
    }

    /// Opens the store of an application, or in a directory.
    private func open(_ store: String) -> StoredPeripherals? {
        do {
            return try store.hasPrefix("/")
                ? StoredPeripherals(directory: store) : StoredPeripherals(application: store)
        } catch {
            Misuse.warn("Peripherals are not stored: \(error)")
            return nil
        }
    }

    /// Ends everything, because the manager is gone.
    func stop() {
        stopScan()
        for connection in connections.values { connection.cancel() }
        search?.cancel()
        search = nil
        central?.stateHandler = nil
        central?.eventHandler = nil
        central?.registryHandler = nil
    }

    func post(_ event: PeripheralEvent, for identifier: UUID) { mailbox.post(.peripheral(identifier, event)) }

    private func stateDidChange(_ central: CentralManager) {
        if central.state == .poweredOn {
            _ = central.retrieveKnownPeripherals()
            let stored = central.storedPeripherals?.identifiers ?? []
            directory.add(
                stored: stored.map { PeripheralIdentifier.make(adapter: central.adapter?.address, device: $0) })
        } else {
            for connection in connections.values { connection.drop() }
            updateSearch()
        }
        mailbox.post(.state(central.state))
    }

    // MARK: Devices

    /// The object of a device that bluetoothd knows.
    func peripheral(_ identifier: UUID) -> BridgedPeripheral? { peripherals[identifier] }

    private func registryDidChange(_ change: RegistryChange) {
        switch change {
        case .added(let peripheral, _):
            guard let peripheral = peripheral as? BridgedPeripheral else { return }
            peripherals[peripheral.identifier] = peripheral
            list(peripheral)
        case .removed(let peripheral, _):
            guard let peripheral = peripheral as? BridgedPeripheral else { return }
            guard peripherals[peripheral.identifier] === peripheral else { return }
            peripherals[peripheral.identifier] = nil
            directory.forget(peripheral.identifier)
        }
    }

    private func handle(_ event: CentralEvent) {
        switch event {
        case .connected(let peripheral), .disconnected(let peripheral), .servicesResolved(let peripheral),
            .servicesChanged(let peripheral), .nameChanged(let peripheral):
            if let peripheral = peripheral as? BridgedPeripheral { list(peripheral) }
        default: break
        }
    }

    /// Lists a device of the manager's adapter.
    private func list(_ peripheral: BridgedPeripheral) {
        guard peripherals[peripheral.identifier] === peripheral,
            peripheral.adapterName == central?.adapter?.identifier
        else { return }
        directory.list(
            PeripheralDirectory.Entry(
                identifier: peripheral.identifier, name: peripheral.name, isConnected: peripheral.isConnected,
                services: peripheral.advertisement.serviceUUIDs))
    }

    // MARK: Scanning

    /// Scans in place of an earlier scan.
    func startScan(_ number: Int, _ services: [BluetoothUUID]?, allowDuplicates: Bool) {
        stopScan()
        guard let central else { return }
        let options = ScanOptions(allowDuplicates: allowDuplicates)
        let task = Task { @BluetoothActor [weak self] in
            do throws(BluetoothError) {
                try await central.scanForPeripherals(withServices: services, options: options) {
                    [weak self] peripheral, advertisement, rssi in
                    guard let self, self.scan?.number == number else { return }
                    self.report(peripheral, advertisement, rssi)
                }
            } catch {
                if error.code != .cancelled { Misuse.warn("The scan has ended: \(error)") }
            }
            guard let self, self.scan?.number == number else { return }
            self.scan = nil
            self.mailbox.post(.scanEnded(number))
        }
        scan = (number, task)
    }

    func stopScan() {
        scan?.task.cancel()
        scan = nil
    }

    private func report(_ peripheral: Peripheral, _ advertisement: AdvertisementData, _ rssi: Int?) {
        guard let peripheral = peripheral as? BridgedPeripheral else { return }
        let found = FoundPeripheral(peripheral.identifier, peripheral.name, advertisement, rssi)
        mailbox.post(.found(found))
    }

    // MARK: Connecting

    func connect(_ request: ConnectionRequest) {
        connections[request.identifier]?.cancel()
        let connection = BridgedConnection(request, self)
        connections[request.identifier] = connection
        connection.begin()
    }

    /// Reports once more that a peripheral is connected.
    func confirmConnection(_ identifier: UUID) {
        guard let connection = connections[identifier], connection.isUp else { return }
        post(.connected(connection.request.number), for: identifier)
    }

    /// Cancels a request, unless a later one has replaced it.
    func cancelConnection(_ identifier: UUID, _ number: Int) {
        guard let connection = connections[identifier], connection.request.number == number else { return }
        connection.cancel()
    }

    func remove(_ connection: BridgedConnection) {
        if connections[connection.request.identifier] === connection {
            connections[connection.request.identifier] = nil
        }
        updateSearch()
    }

    func linkDidEnd(_ peripheral: BridgedPeripheral, _ error: BluetoothError?) {
        connections[peripheral.identifier]?.linkDidEnd(error)
    }

    /// Does something with a peripheral to which the manager has a link.
    func use(_ identifier: UUID, _ body: @BluetoothActor (BridgedPeripheral) -> Void) {
        guard let connection = connections[identifier], connection.isUp, let peripheral = connection.peripheral
        else { return }
        body(peripheral)
    }

    /// Starts or ends the search, one scan for all connections that wait.
    func updateSearch() {
        guard isPoweredOn, connections.values.contains(where: \.isWaiting), let central else {
            search?.cancel()
            search = nil
            return
        }
        guard search == nil else { return }
        search = Task { @BluetoothActor [weak self] in
            let options = ScanOptions(allowDuplicates: true)
            try? await central.scanForPeripherals(options: options) { [weak self] peripheral, _, _ in
                guard let peripheral = peripheral as? BridgedPeripheral else { return }
                self?.connections[peripheral.identifier]?.heard(peripheral)
            }
            guard !Task.isCancelled else { return }
            // The search has failed. The next attempt to connect begins it again.
            self?.search = nil
        }
    }
}
