import BlueZClient
import CoreBlueZ

/// Runs one schedule of a layer above a peripheral. A subclass says what the layer does.
@BluetoothActor open class LinkRound<Simulator: SimulatorFixture, Operation: FaultOperation>: FaultRound<ByteRecord> {
    /// What to do.
    public let schedule: LinkSchedule<Operation>
    /// Where.
    public let simulator: Simulator
    /// The manager, unless it was released.
    public var central: CentralManager?
    /// The peripheral, unless it was released.
    public var peripheral: Peripheral?
    private var registries: [OperationRegistry] = []
    private var random: SplitMix64

    /// Makes a round.
    public init(_ schedule: LinkSchedule<Operation>, _ simulator: Simulator, patience: Duration) {
        self.schedule = schedule
        self.simulator = simulator
        random = SplitMix64(seed: schedule.seed)
        super.init(ByteRecord(), patience: patience)
    }

    // MARK: What a layer does

    /// The bus of the manager.
    open var bus: BusAddress { simulator.bus }
    /// The peripheral's address.
    open var address: String { "" }
    /// How to connect.
    open var transport: BluetoothTransport { .le }
    /// Brings the simulator to the beginning of a round.
    open func reset() async throws {}
    /// The manager is there, and has no link yet.
    open func beginUse(of central: CentralManager) async throws {}
    /// The peripheral is connected.
    open func prepare(_ peripheral: Peripheral) async throws {}
    /// Begins an operation; nothing is waited for.
    open func start(_ operation: Operation, _ number: Int) {}
    /// Releases all of the layer.
    open func release() {}
    /// Nothing goes wrong from here on, and all operations have ended.
    open func settle() async throws {}
    /// Everything must have ended.
    open func didEnd() async throws {}
    /// Uses the layer; throws if that is not possible.
    open func probe() async throws {}
    /// What must not be, after all.
    open func judge() async -> [FaultFinding] { [] }
    /// Lets a fault happen.
    open func cause(_ fault: LinkFault) async throws { try await simulator.cause(fault) }
    /// Makes everything work.
    open func mend() async throws { try await simulator.mend() }
    /// Whether the peripheral could be connected.
    open var isReachable: Bool { get async { await simulator.isReachable() } }

    // MARK: The round

    /// Runs the schedule.
    ///
    /// - Returns: what was wrong.
    public func findings() async -> [FaultFinding] { await findings { try await run() } }

    private func run() async throws {
        try await mend()
        try await reset()
        try await restore()
        for step in schedule.steps { try await take(step) }
        try await mend()
        try await demandEnds()
        try await settle()
        try await take(schedule.ending)
        try await didEnd()
        try await demand(.endless, "the ends of \(record.pending(lasting: true)) after \(schedule.ending)") {
            self.record.pending(lasting: true).isEmpty
        }
        try await releaseAll()
        try await tryAgain()
        try await releaseAll()
        try check(record.doubled + (await judge()))
    }

    private func take(_ step: LinkSchedule<Operation>.Step) async throws {
        switch step {
        case .operation(let operation, let number): start(operation, number)
        case .fault(let fault): try await cause(fault)
        case .restore: try await restore()
        case .pause(let milliseconds): try await BluetoothActor.sleep(for: .milliseconds(milliseconds))
        }
    }

    /// Waits for the end of all that ends by itself.
    public func demandEnds() async throws {
        try await demand(.incomplete, "the ends of \(record.pending())") { self.record.pending().isEmpty }
    }

    /// Releases the manager with all that it has.
    open func dropManager() {
        release()
        peripheral = nil
        central = nil
    }

    /// Makes the manager forget the peripheral, and releases it.
    public func removePeripheral() {
        release()
        if let central, let peripheral { central.removePeripheral(peripheral) }
        peripheral = nil
    }

    private func releaseAll() async throws {
        dropManager()
        try await demandEnds()
        try await demandRelease()
        try await demand(.endless, "the ends of \(record.pending(lasting: true)) after the release") {
            self.record.pending(lasting: true).isEmpty
        }
        try await demand(.leftOver, "the operations of a manager that is gone to end") {
            self.registries.allSatisfy { $0.count == 0 }
        }
        registries = []
    }

    /// Everything can be used by others.
    private func tryAgain() async throws {
        try await mend()
        var isDone = false
        var lastError: (any Error)?
        let task = Task { @BluetoothActor in
            var scans = false
            while !isDone, !Task.isCancelled {
                do {
                    try await self.find(timeout: nil, scans: scans)
                    try await self.probe()
                    isDone = true
                } catch {
                    // What the round has begun may be under way still. What bluetoothd no longer knows has to be found
                    // again; what is connected cannot be found.
                    lastError = error
                    scans.toggle()
                }
            }
        }
        defer { task.cancel() }
        try await demand(.unusable, "another use (\(lastError.map { "\($0)" } ?? "no error"))") { isDone }
        await task.value
    }

    // MARK: The peripheral

    private func restore() async throws {
        guard await isReachable else { return }
        var isDone = false
        let task = Task { @BluetoothActor in
            // What is asked for next fails then, which is a round too.
            do { try await self.find(timeout: self.schedule.timeout, scans: false) } catch {}
            isDone = true
        }
        try await demand(.incomplete, "the restoring to end") { isDone }
        await task.value
    }

    private func find(timeout: Int?, scans: Bool) async throws {
        let central: CentralManager
        if let current = self.central {
            central = current
        } else {
            central = CentralManager(bus: bus)
            // What takes its time in real life need not do so here.
            central.client.timeouts.discoveryBackOff = .milliseconds(5)
            central.client.timeouts.retry = .milliseconds(20)
            if let timeout { central.attributeTimeout = .milliseconds(timeout) }
            watch(central, "a manager")
            registries.append(central.operations)
            self.central = central
            try await beginUse(of: central)
        }
        try await central.waitUntilPoweredOn(timeout: .seconds(10))
        let isWanted = { @BluetoothActor [address] (found: Peripheral) in found.address?.description == address }
        let peripheral: Peripheral
        if !scans, let known = central.retrieveKnownPeripherals().first(where: isWanted) {
            peripheral = known
        } else {
            peripheral = try await central.firstPeripheral(timeout: .seconds(5), transport: .auto) { found, _ in
                isWanted(found)
            }
        }
        if peripheral !== self.peripheral {
            if self.peripheral != nil { release() }
            watch(peripheral, "a peripheral")
        }
        self.peripheral = peripheral
        try await peripheral.connect(
            options: ConnectOptions(timeout: .seconds(2), retries: 1, transport: transport))
        try await prepare(peripheral)
    }

    // MARK: Operations

    /// Notes an operation and begins it, by a closure or a task.
    public func begin(
        _ title: String, byTask: Bool, isLasting: Bool = false,
        closure: @BluetoothActor (_ index: Int, _ done: @escaping @BluetoothActor ((any Error)?) -> Void) -> Void,
        task: @escaping @BluetoothActor (_ index: Int) async throws -> Void
    ) {
        let index = record.begin("\(title) by \(byTask ? "task" : "closure")", isLasting: isLasting)
        guard byTask else { return closure(index) { [record] in record.end(index, $0) } }
        tasks.append(
            Task { @BluetoothActor [record] in
                do {
                    try await task(index)
                    record.end(index, nil)
                } catch {
                    record.end(index, error)
                }
            })
    }

    /// Begins to disconnect the peripheral, by a task if the number is even.
    public func disconnect(_ number: Int) {
        guard let peripheral else { return }
        begin("disconnect", byTask: number % 2 == 0) { _, done in
            peripheral.disconnect { done($0) }
        } task: { _ in
            try await peripheral.disconnect()
        }
    }

    /// Random bytes; the seed decides which.
    public func makeRandom(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
    }

    /// Cancels all tasks of the round.
    public func cancelTasks() {
        for task in tasks { task.cancel() }
    }
}
