import TestSupport

@testable import BlueZClient
@testable import CoreBlueZ

/// Runs one schedule and says what was wrong.
@BluetoothActor final class CentralRound: FaultRound<CentralRecord> {
    let schedule: CentralSchedule
    let simulator: FaultSimulator
    var anchor: CentralManager?
    var registries: [OperationRegistry] = []
    var central: CentralManager?
    var peripheral: Peripheral?
    var characteristics: [CentralSchedule.Attribute: Characteristic] = [:]
    var writers: [CentralSchedule.Attribute: AcquiredWriter] = [:]
    var acquired: [AcquiredNotifications] = []

    /// - Parameter index: the manager's among those of the round.
    init(_ schedule: CentralSchedule, _ simulator: FaultSimulator, patience: Duration, index: Int = 0) {
        self.schedule = schedule
        self.simulator = simulator
        super.init(CentralRecord(index), patience: patience)
    }

    func run() async throws {
        try await simulator.reset()
        if schedule.sharesConnection { anchor = await makeCentral(timeout: nil) }
        try await restore()
        for step in schedule.steps { try await take(step) }
        try await settle()
        try await end()
        try await release()
        try await probe()
        var findings = await simulator.findings([record])
        if schedule.takesObjectsAway { findings.removeAll { $0.kind == .unsentTimeout } }
        try check(findings)
    }

    // MARK: Steps

    func take(_ step: CentralSchedule.Step) async throws {
        switch step {
        case .operation(let operation, let attribute, let way): start(operation, attribute, way)
        case .fault(let fault): try await cause(fault)
        case .restore: try await restore()
        case .pause(let milliseconds): try await BluetoothActor.sleep(for: .milliseconds(milliseconds))
        }
    }

    private func cause(_ fault: CentralSchedule.Fault) async throws {
        switch fault {
        case .unregister: unregister()
        case .dropManager: dropManager()
        case .cancelTasks:
            record.markCancellation()
            for task in tasks { task.cancel() }
        default: try await simulator.cause(fault)
        }
    }

    func unregister() {
        guard let central, let peripheral else { return }
        record.markEnd {
            central.removePeripheral(peripheral)
            return true
        }
        record.doom()
    }

    func dropManager() {
        guard central != nil else { return }
        record.markEnd { [weak central] in
            self.central = nil
            // A task that scans has it for as long.
            return central == nil
        }
        record.doom()
    }

    func makeCentral(timeout: Int?) async -> CentralManager {
        let central = CentralManager(bus: simulator.bus)
        // What takes its time in real life need not do so here.
        central.client.timeouts.discoveryBackOff = .milliseconds(5)
        central.client.timeouts.retry = .milliseconds(20)
        if let timeout { central.attributeTimeout = .milliseconds(timeout) }
        watch(central, "a manager")
        registries.append(central.operations)
        record.client = central.client
        return central
    }

    /// Gets a manager, the peripheral, its link and its attributes, if it can be reached.
    func restore() async throws {
        guard await simulator.isReachable() else { return }
        var isDone = false
        let task = Task { @BluetoothActor in
            // The failure of one of these shows elsewhere; what is asked for next fails then, which is a round too.
            do { try await self.find() } catch {}
            isDone = true
        }
        try await demand(.incomplete, "the restoring to end") { isDone }
        await task.value
    }

    private func find() async throws {
        let central: CentralManager
        if let current = self.central {
            central = current
        } else {
            central = await makeCentral(timeout: schedule.timeout)
            self.central = central
        }
        try await central.waitUntilPoweredOn(timeout: .seconds(10))
        let peripheral = try await Self.peripheral(of: central, within: .seconds(5))
        if peripheral !== self.peripheral { watch(peripheral, "a peripheral") }
        self.peripheral = peripheral
        peripheral.disconnectHandler = { [record] _, _ in record.doom() }
        try await peripheral.connect(options: ConnectOptions(timeout: .seconds(2), retries: 1))
        try await Self.discover(peripheral)
        for attribute in CentralSchedule.Attribute.allCases {
            characteristics[attribute] = Self.characteristic(attribute, of: peripheral)
        }
    }

    static func peripheral(of central: CentralManager, within timeout: Duration) async throws -> Peripheral {
        if let known = central.retrieveKnownPeripherals().first { return known }
        return try await central.firstPeripheral(timeout: timeout)
    }

    static func discover(_ peripheral: Peripheral) async throws(BluetoothError) {
        for service in try await peripheral.discoverServices() where service.uuid == FaultSimulator.faultyService {
            for characteristic in try await service.discoverCharacteristics() {
                try await characteristic.discoverDescriptors()
            }
        }
    }

    static func characteristic(_ attribute: CentralSchedule.Attribute, of peripheral: Peripheral) -> Characteristic? {
        peripheral[FaultSimulator.faultyService]?[FaultSimulator.uuid(attribute)]
    }
}
