import BlueZClient

/// A link that is up whenever possible. It searches for the device, connects it, and connects it again each time the
/// link is lost, until `stop` is called or the policy's attempts are used up.
///
/// `CentralManager.keepConnected` creates one. The manager retains it while it is active, so your program need not.
@BluetoothActor public final class KeptConnection<Kind: Peripheral> {
    /// The state of the connection.
    public enum State: Sendable {
        /// Bluetooth cannot be used now, for this reason if it is known. The search begins when it can be used.
        case unavailable(BluetoothError?)
        /// Searching for the device.
        case searching
        /// The device was found, and is being connected and set up.
        case connecting(Kind)
        /// The link is up, earlier subscriptions have been restored, and the device is set up.
        case connected(Kind)
        /// The link was lost or an attempt failed, with this error. The next attempt follows after the policy's delay.
        case disconnected(BluetoothError)
        /// The connection is no longer kept. The error is nil after `stop` or `Peripheral.disconnect`.
        case stopped(BluetoothError?)
    }

    /// The device to search for.
    enum Target {
        case address(BluetoothAddress)
        case fitting([BluetoothUUID]?, @BluetoothActor (Kind, AdvertisementData) -> Bool)
    }

    /// The current state, which is `unavailable` until Bluetooth can be used.
    public private(set) var state = State.unavailable(nil)

    /// The device's object; nil until the device is found. If the device's private address changes, it gets another
    /// object.
    public private(set) var peripheral: Kind?

    /// A closure that is called with each new state.
    public typealias StateHandler = @BluetoothActor (State) -> Void

    /// Called with each new state.
    public var stateHandler: StateHandler?

    /// A function that sets the device up over a new link. Its task is cancelled if the link is lost meanwhile.
    public typealias SetUp = @BluetoothActor (Kind) async throws -> Void

    /// A closure that does the same, and then calls its completion once: with nil, or with the error.
    public typealias SetUpHandler = @BluetoothActor (Kind, @escaping @BluetoothActor (BluetoothError?) -> Void) -> Void

    /// The closure form of the `setUp` that `keepConnected` takes, which it replaces. Set it right after
    /// `keepConnected`.
    public var setUpHandler: SetUpHandler?

    /// How often to try, and how long to wait between attempts.
    public let policy: ReconnectPolicy

    private let target: Target
    private let setUp: SetUp?
    private weak var central: CentralManager?
    private let consumers = EventConsumers<State>()
    private var current: AnyOperation?
    private var timer: ScheduledCall?
    private var failures = 0
    private var isActive = true
    /// Whether the last attempt has made a link.
    private var isSettingUp = false
    /// Whether the device has a private address, which changes, so that the search uses its name and its advertisement.
    private var isAddressPassing = false

    init(
        _ target: Target, _ policy: ReconnectPolicy, of central: CentralManager, _ stateHandler: StateHandler?,
        _ setUp: SetUp?
    ) {
        self.target = target
        self.policy = policy
        self.central = central
        self.stateHandler = stateHandler
        self.setUp = setUp
        central.keptConnections[ObjectIdentifier(self)] = { self.handle($0) }
        BluetoothActor.perform { self.search() }
    }

    /// Returns the states: the current one first, then each new one. The sequence ends after `stopped`. Releasing the
    /// sequence does not stop the connection.
    ///
    /// - Parameter limit: how many states are buffered for a slow consumer. If there are more, the sequence throws
    ///   `BluetoothError.Code.overflow`.
    public func states(bufferingUpTo limit: Int = 64) -> EventSequence<State> {
        let sequence = consumers.makeSequence(state, bufferingUpTo: limit)
        if !isActive { consumers.finish() }
        return sequence
    }

    /// Ends the search, the attempts, and the link. It fails with the codes of `Peripheral.disconnect(completion:)`.
    ///
    /// - Parameter completion: gets nil when there is no link, or the error if the link could not be ended.
    public func stop(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startStopping { completion($0.failure) }
    }

    /// Ends the search, the attempts, and the link; the async form of `stop(completion:)`. It also works in a cancelled
    /// task.
    public func stop() async throws(BluetoothError) {
        try await AsyncBridge.waitRegardless { startStopping($0) }
    }

    @discardableResult
    private func startStopping(
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let peripheral = peripheral
        finish(nil)
        if let peripheral { return peripheral.startDisconnecting(completion) }
        let operation = Operation<Void>(
            "Ending the search", on: nil, needsConnection: false, limit: nil,
            in: central?.operations ?? OperationRegistry(), completion: completion)
        BluetoothActor.perform { operation.succeed(()) }
        return operation
    }

    /// Gives up a link that is up but of no use, as after the end of a stream: the link is ended, unless another program
    /// made it, and made and set up again after the policy's first delay. Does nothing unless the state is `connected`.
    ///
    /// - Parameter error: why; the state is then `disconnected` with it.
    public func renew(_ error: BluetoothError) {
        if case .connected(let peripheral) = state { peripheral.renewLink(error) }
    }

    /// Ends the search and the attempts, and keeps a link. The state is then `stopped`.
    public func cancel() { finish(nil) }

    /// Ends the activity, but not the link.
    func finish(_ error: BluetoothError?) {
        guard isActive else { return }
        isActive = false
        central?.keptConnections[ObjectIdentifier(self)] = nil
        timer?.cancel()
        timer = nil
        current.take()?.fail(.cancelled("Searching"))
        release()
        enter(.stopped(error))
        consumers.finish()
    }

    /// Releases the peripheral, whose link is then no longer kept.
    private func release() {
        guard let peripheral else { return }
        peripheral.keptHandler = nil
        peripheral.keptSetUp = nil
        peripheral.reconnectPolicy = nil
        peripheral.cancelReconnection()
    }

    private func enter(_ state: State) {
        self.state = state
        consumers.append(state)
        stateHandler?(state)
    }

    /// Handles the manager's reports about Bluetooth, and the peripheral's about its link.
    private func handle(_ report: KeptConnection<Peripheral>.State) {
        guard isActive else { return }
        switch (report, peripheral) {
        case (.unavailable(let reason), nil) where timer == nil: waitForBluetooth(reason)
        case (.connecting, let peripheral?):
            isSettingUp = false
            enter(.connecting(peripheral))
        case (.connected, let peripheral?):
            updateAddressPassing()
            enter(.connected(peripheral))
        case (.disconnected(let error), _):
            if case .disconnected = state { return }
            // If there was no link, the address may have changed.
            guard isAddressPassing, case .connecting = state, !isSettingUp else { return enter(.disconnected(error)) }
            release()
            peripheral = nil
            retry(error)
        case (.stopped(let error), _): finish(error)
        default: break
        }
    }

    // MARK: Searching

    private func search() {
        guard isActive, let central else { return }
        if central.state != .poweredOn { waitForBluetooth(central.stateError) }
        current = central.startWaiting(nil) { [weak self] result in
            guard let self, self.isActive else { return }
            switch result {
            case .success: self.look()
            case .failure(let error): self.finish(error)
            }
        }
    }

    private func waitForBluetooth(_ reason: BluetoothError?) {
        if case .unavailable(let known) = state, known == reason { return }
        enter(.unavailable(reason))
    }

    private func look() {
        enter(.searching)
        // A handler may have called `stop`.
        guard isActive, let central else { return }
        if let present = present(central) { return keep(present) }
        var found: Kind?
        let scan = scan()
        let take: @BluetoothActor (Kind?) -> Void = { [weak scan] fitting in
            guard found == nil, let fitting else { return }
            found = fitting
            scan?.operation?.succeed(())
        }
        scan.found = { [weak self] peripheral, _, _ in take(self?.fitting(peripheral)) }
        scan.linked = { [weak self] peripheral in take(self?.fittingWithLink(peripheral)) }
        current = central.startScan(scan) { [weak self] result in
            guard let self, self.isActive else { return }
            switch result {
            case .success: if let found { self.keep(found) } else { self.search() }
            case .failure(let error) where CentralManager.passingCodes.contains(error.code): self.search()
            case .failure(let error): self.retry(error)
            }
        }
    }

    private func scan() -> Scan {
        switch target {
        case .address(let address): Scan(searchingFor: nil, address: address)
        case .fitting(let services, _): Scan(searchingFor: services.map(Set.init), address: nil)
        }
    }

    /// Returns a matching device that needs no search, because bluetoothd knows its address, or because it is connected
    /// and therefore does not advertise.
    private func present(_ central: CentralManager) -> Kind? {
        switch target {
        case .address(let address): central.retrievePeripheral(withIdentifier: address) as? Kind
        case .fitting: central.retrieveConnectedPeripherals().lazy.compactMap { self.fittingWithLink($0) }.first
        }
    }

    private func fitting(_ peripheral: Peripheral) -> Kind? {
        guard let peripheral = peripheral as? Kind else { return nil }
        return switch target {
        case .address(let address): peripheral.address == address ? peripheral : nil
        case .fitting(_, let condition): condition(peripheral, peripheral.advertisement) ? peripheral : nil
        }
    }

    /// Returns a connected device if its name and services match. Scans do not report connected devices.
    private func fittingWithLink(_ peripheral: Peripheral) -> Kind? {
        if case .fitting(let services, _) = target {
            guard let device = DiscoveredDevice(peripheral), central?.isKnownPeripheral(device) == true else {
                return nil
            }
            if let services, Set(services).isDisjoint(with: peripheral.advertisement.serviceUUIDs) { return nil }
        }
        return fitting(peripheral)
    }

    private func retry(_ error: BluetoothError) {
        failures += 1
        if let limit = policy.attempts, failures >= limit { return finish(error) }
        enter(.disconnected(error))
        guard isActive, timer == nil else { return }
        timer = BluetoothActor.after(policy.delay(beforeAttempt: failures - 1)) { [weak self] in
            self?.timer = nil
            self?.search()
        }
    }

    // MARK: Connecting

    private func keep(_ found: Kind) {
        current = nil
        guard found.keptHandler == nil else {
            let text = "\(found.displayName) is kept connected already; stop that first"
            return finish(BluetoothError(.busy, text))
        }
        failures = 0
        peripheral = found
        found.keptHandler = { [weak self] in self?.handle($0) }
        if setUp != nil || setUpHandler != nil {
            found.keptSetUp = { [weak self, weak found] in if let found { self?.setUp(found, $0) } }
        }
        updateAddressPassing()
        found.keepConnected(policy)
        if found.isConnected, found.keptSetUp == nil { handle(.connected(found)) }
    }

    private func setUp(_ peripheral: Kind, _ operation: Operation<Void>) {
        isSettingUp = true
        if let setUpHandler { return setUpHandler(peripheral) { operation.finish(Result(failure: $0)) } }
        let task = Task(executorPreference: BluetoothActor.loop) { [self] in await finishSetUp(peripheral, operation) }
        operation.whenEnded { _ in task.cancel() }
    }

    private func finishSetUp(_ peripheral: Kind, _ operation: Operation<Void>) async {
        do {
            try await setUp?(peripheral)
            operation.succeed(())
        } catch {
            operation.fail(error as? BluetoothError ?? BluetoothError(.failed, "\(operation.title): \(error)"))
        }
    }

    private func updateAddressPassing() {
        guard case .fitting = target, let peripheral else { return }
        let isPrivate = peripheral.addressKind == .random && peripheral.address?.isStaticRandom == false
        isAddressPassing = isPrivate && !peripheral.isPaired
    }
}
