import BlueZDBus

/// This process's scans on an adapter. bluetoothd has one discovery session per connection, so all scans share it.
/// Starts and stops are serialized (src/adapter.c returns `InProgress` if they overlap).
@BluetoothActor package final class Discovery {
    private enum State {
        case idle, changing, running
    }

    /// The filter for all scans together.
    private struct Filter: Equatable {
        var transport = BluetoothTransport.le
        var allowsDuplicates = false
    }

    private struct Scan {
        let transport: BluetoothTransport
        let allowDuplicates: Bool
        let started: @BluetoothActor () -> Void
        let failed: @BluetoothActor (BluetoothError) -> Void
        var isStarted = false
    }

    private let adapter: ObjectPath
    private weak var client: BlueZClient?
    private var scans: [ObjectIdentifier: Scan] = [:]
    private var pauses = 0
    private var whenPaused: [@BluetoothActor () -> Void] = []
    private var state = State.idle
    private var filter = Filter()
    private var attempts = 0

    /// The maximum number of attempts, which with delays of up to 2 s take 13 s. If bluetoothd died during a scan, the
    /// kernel continues for 10.24 s, and refuses the next scan as busy (include/net/bluetooth/hci_core.h:
    /// DISCOV_LE_TIMEOUT).
    private static let maximumAttempts = 10

    init(adapter: ObjectPath, client: BlueZClient) {
        self.adapter = adapter
        self.client = client
    }

    /// Adds a scan. Either `started` is called, when bluetoothd scans, or `failed`.
    package func add(
        _ scan: ObjectIdentifier,
        transport: BluetoothTransport,
        allowDuplicates: Bool,
        started: @escaping @BluetoothActor () -> Void,
        failed: @escaping @BluetoothActor (BluetoothError) -> Void
    ) {
        scans[scan] = Scan(
            transport: transport, allowDuplicates: allowDuplicates, started: started, failed: failed)
        attempts = 0
        reconcile()
    }

    package func remove(_ scan: ObjectIdentifier) {
        guard scans.removeValue(forKey: scan) != nil else { return }
        reconcile()
    }

    /// Pauses scanning until `resume`, because many controllers cannot scan and connect at the same time.
    package func pause(_ paused: @escaping @BluetoothActor () -> Void) {
        pauses += 1
        whenPaused.append(paused)
        reconcile()
    }

    package func resume() {
        pauses -= 1
        reconcile()
    }

    /// Ends all scans, because the session ended with the adapter, its power or bluetoothd.
    func end(_ error: BluetoothError) {
        client = nil
        let ended = scans
        scans = [:]
        let paused = whenPaused
        whenPaused = []
        for body in paused { body() }
        for scan in ended.values { scan.failed(error) }
    }

    private var timeouts: Timeouts { client?.timeouts ?? Timeouts() }
    private var shallRun: Bool { !scans.isEmpty && pauses == 0 }

    /// Whether to look for devices of both kinds.
    package var looksForBoth: Bool { wantedFilter.transport == .auto }

    private var wantedFilter: Filter {
        let transports = Set(scans.values.map(\.transport))
        return Filter(
            transport: transports.count == 1 ? transports.first ?? .le : .auto,
            allowsDuplicates: scans.values.contains(where: \.allowDuplicates))
    }

    /// Takes the next step towards the required state, with one call at a time.
    private func reconcile() {
        guard state != .changing, client != nil else { return }
        switch (state, shallRun) {
        case (.idle, true): start()
        case (.running, false): stop()
        case (.running, true):
            if filter != wantedFilter {
                setFilter { $0.didChange(to: .running) }
            } else {
                reportStarted()
            }
        default: reportPaused()
        }
    }

    private func didChange(to state: State) {
        self.state = state
        reconcile()
    }

    private func reportStarted() {
        for (key, scan) in scans where !scan.isStarted {
            scans[key]?.isStarted = true
            scan.started()
        }
    }

    private func reportPaused() {
        let paused = whenPaused
        whenPaused = []
        for body in paused { body() }
    }

    /// Sets the filter. Without one, some versions scan passively or only for bonded devices, and find nothing. UUIDs
    /// are not in the filter because 5.87 crashes on them. This process filters them.
    private func setFilter(_ next: @escaping @BluetoothActor (Discovery) -> Void) {
        state = .changing
        let filter = wantedFilter
        self.filter = filter
        client?.call(adapter, BlueZ.adapter, "SetDiscoveryFilter", limit: timeouts.discovery) {
            (writer) throws(DBusError) in
            try writer.append(
                .properties([
                    "Transport": .string(filter.transport.rawValue), "DuplicateData": .boolean(filter.allowsDuplicates),
                ])
            )
        } reply: { [weak self] result in
            guard let self, self.client != nil else { return }
            if case .failure(let error) = result { self.fail(error) } else { next(self) }
        }
    }

    private func start() {
        setFilter { discovery in
            discovery.client?.call(
                discovery.adapter, BlueZ.adapter, "StartDiscovery", limit: discovery.timeouts.discovery
            ) { [weak discovery] result in
                guard let discovery, discovery.client != nil else { return }
                switch result {
                case .success:
                    discovery.attempts = 0
                    discovery.didChange(to: .running)
                case .failure(let error):
                    if error.name == DBusError.Name.timeout { discovery.takeBackStart() }
                    discovery.fail(error)
                }
            }
        }
    }

    /// Undoes a start without a reply. bluetoothd does not reply to one of two clients that start at the same time
    /// (src/adapter.c: `adapter->client`), but keeps the session, and would refuse the next start.
    private func takeBackStart() {
        client?.call(adapter, BlueZ.adapter, "StopDiscovery", limit: timeouts.discovery) { _ in }
    }

    /// Stops scanning. Even if the call fails, scanning has stopped: bluetoothd removes the session first, and may then
    /// return `InProgress`, `NotReady` or "No discovery started". `InProgress` means that the kernel was not scanning. If
    /// bluetoothd has missed that, because it was busy and the kernel discarded the event, it neither starts nor stops a
    /// scan from then on (src/adapter.c: `discovery_enable`).
    private func stop() {
        state = .changing
        client?.call(adapter, BlueZ.adapter, "StopDiscovery", limit: timeouts.discovery) { [weak self] result in
            if case .failure(let error) = result {
                let isInProgress = error.bluezName == .inProgress
                log.log(
                    level: isInProgress ? .warning : .debug,
                    isInProgress
                        ? "StopDiscovery failed; if scans find nothing from now on, restart bluetoothd"
                        : "StopDiscovery failed",
                    metadata: ["error": "\(error)"])
            }
            self?.didChange(to: .idle)
        }
    }

    /// Handles an error. `InProgress` is usually temporary, because bluetoothd also reports it for anything that the
    /// controller currently refuses.
    private func fail(_ error: DBusError) {
        state = .idle
        attempts += 1
        if error.bluezName == .inProgress, attempts < Self.maximumAttempts {
            state = .changing
            let first = timeouts.discoveryBackOff
            let wait = Duration.delay(beforeAttempt: attempts - 1, first: first, longest: first * 10)
            _ = BluetoothActor.after(wait) { [weak self] in
                self?.didChange(to: .idle)
            }
            return
        }
        attempts = 0
        let failed = scans
        scans = [:]
        let reason = BluetoothError(error, in: .discovery, "Scanning")
        for scan in failed.values { scan.failed(reason) }
        reconcile()
    }
}
