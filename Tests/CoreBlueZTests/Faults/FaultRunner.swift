import FoundationEssentials

@testable import CoreBlueZ

/// Runs one schedule and says what was wrong.
@BluetoothActor final class FaultRunner {
    struct Failure: Error {
        let reasons: [String]
    }

    private final class Weak {
        weak var object: AnyObject?
        let title: String

        init(_ object: AnyObject, _ title: String) {
            self.object = object
            self.title = title
        }
    }

    let schedule: FaultSchedule
    let world: FaultWorld
    let record = FaultRecord()
    /// How long to wait for what must happen.
    private let patience: Duration
    private var anchor: CentralManager?
    private var registries: [OperationRegistry] = []
    private var weaks: [Weak] = []
    var central: CentralManager?
    var peripheral: Peripheral?
    var characteristics: [FaultSchedule.Attribute: Characteristic] = [:]
    var writers: [FaultSchedule.Attribute: AcquiredWriter] = [:]
    var acquired: [AcquiredNotifications] = []
    var tasks: [Task<Void, Never>] = []

    private init(_ schedule: FaultSchedule, _ world: FaultWorld, patience: Duration) {
        self.schedule = schedule
        self.world = world
        self.patience = patience
    }

    /// Runs a schedule in a world that is free.
    ///
    /// - Returns: what was wrong; empty where nothing was. The world cannot be used again where something was. And the
    ///   record, which must not change any more.
    static func run(
        _ schedule: FaultSchedule, in world: FaultWorld, patience: Duration
    ) async -> (failures: [String], record: FaultRecord) {
        let runner = FaultRunner(schedule, world, patience: patience)
        do {
            try await runner.run()
            return ([], runner.record)
        } catch let failure as Failure {
            return (failure.reasons, runner.record)
        } catch {
            return (["The round itself could not be run: \(error)"], runner.record)
        }
    }

    private func run() async throws {
        try await world.reset()
        if schedule.sharesConnection { anchor = await makeCentral(deadline: nil) }
        try await restore()
        for step in schedule.steps { try await take(step) }
        try await settle()
        try await end()
        try await release()
        try await probe()
        let faults = record.faults(writes: await world.writes, calls: await world.calls)
        guard faults.isEmpty else { throw Failure(reasons: faults) }
    }

    /// Waits until a condition holds, which it must.
    func demand(_ what: @autoclosure () -> String, _ condition: @BluetoothActor () async -> Bool) async throws {
        let clock = ContinuousClock()
        let end = clock.now + patience
        while await !condition() {
            guard clock.now < end else { throw Failure(reasons: ["waited in vain for \(what())"] + record.doubled) }
            try await BluetoothActor.sleep(for: .milliseconds(1))
        }
    }

    // MARK: Steps

    private func take(_ step: FaultSchedule.Step) async throws {
        switch step {
        case .operation(let operation, let attribute, let way): start(operation, attribute, way)
        case .fault(let fault): try await cause(fault)
        case .restore: try await restore()
        case .pause(let milliseconds): try await BluetoothActor.sleep(for: .milliseconds(milliseconds))
        }
    }

    private func cause(_ fault: FaultSchedule.Fault) async throws {
        switch fault {
        case .unregister: unregister()
        case .dropManager: dropManager()
        case .cancelTasks:
            record.markCancellation()
            for task in tasks { task.cancel() }
        default: try await world.cause(fault)
        }
    }

    private func unregister() {
        guard let central, let peripheral else { return }
        record.markEnd()
        central.unregister(peripheral)
        record.doom()
    }

    private func dropManager() {
        guard central != nil else { return }
        record.markEnd()
        central = nil
        record.doom()
    }

    private func makeCentral(deadline: Int?) async -> CentralManager {
        let central = CentralManager(bus: world.bus)
        // What takes its time in real life need not do so here.
        central.client.limits.discoveryBackOff = .milliseconds(5)
        central.client.limits.retry = .milliseconds(20)
        if let deadline { central.attributeDeadline = .milliseconds(deadline) }
        weaks.append(Weak(central, "a manager"))
        registries.append(central.operations)
        record.client = central.client
        return central
    }

    /// Gets a manager, the peripheral, its link and its attributes, where it can be reached.
    private func restore() async throws {
        guard await world.isReachable else { return }
        var isDone = false
        let task = Task { @BluetoothActor in
            // The failure of one of these shows elsewhere; what is asked for next fails then, which is a round too.
            do { try await self.find() } catch {}
            isDone = true
        }
        try await demand("the restoring to end") { isDone }
        await task.value
    }

    private func find() async throws {
        let central: CentralManager
        if let current = self.central {
            central = current
        } else {
            central = await makeCentral(deadline: schedule.deadline)
            self.central = central
        }
        try await central.waitUntilPoweredOn(deadline: .seconds(10))
        let known = central.retrieveKnownPeripherals().first
        let peripheral: Peripheral
        if let known { peripheral = known } else { peripheral = try await central.firstPeripheral(deadline: .seconds(5)) }
        if peripheral !== self.peripheral { weaks.append(Weak(peripheral, "a peripheral")) }
        self.peripheral = peripheral
        peripheral.disconnectHandler = { [record] _, _ in record.doom() }
        try await peripheral.connect(options: ConnectOptions(deadline: .seconds(2), retries: 1))
        try await Self.discover(peripheral)
        for attribute in FaultSchedule.Attribute.allCases {
            characteristics[attribute] = Self.characteristic(attribute, of: peripheral)
        }
    }

    static func discover(_ peripheral: Peripheral) async throws(BluetoothError) {
        for service in try await peripheral.discoverServices() where service.uuid == BluetoothUUID(FaultWorld.service) {
            for characteristic in try await service.discoverCharacteristics() {
                try await characteristic.discoverDescriptors()
            }
        }
    }

    static func characteristic(_ attribute: FaultSchedule.Attribute, of peripheral: Peripheral) -> Characteristic? {
        peripheral[BluetoothUUID(FaultWorld.service)]?[FaultWorld.uuid(attribute)]
    }

    // MARK: The end

    /// Nothing goes wrong any more: what was asked for ends, and what is still subscribed gets values.
    private func settle() async throws {
        try await world.mend()
        try await demand("the ends of \(record.pending)") { self.record.pending.isEmpty }
        try await demand("the ends of \(titles { $0.isDoomed }), whose link, peripheral or manager went") {
            self.titles { $0.isDoomed }.isEmpty
        }
        try await checkValues()
    }

    private func titles(_ condition: (FaultRecord.Track) -> Bool) -> [String] {
        record.tracks.filter { $0.isOpen && condition($0) }.map(\.title)
    }

    /// Values reach whoever is subscribed.
    private func checkValues() async throws {
        let value = record.makeNumber()
        try await demand("a value for \(titles { $0.takesValues && $0.lastValue == nil })") {
            let bytes = FaultRecord.bytes(value)
            _ = await self.world.notify(bytes)
            return self.record.tracks.allSatisfy { !$0.isOpen || !$0.takesValues || $0.lastValue == Data(bytes) }
        }
    }

    private func end() async throws {
        switch schedule.ending {
        case .dropManager: dropManager()
        case .unregister: unregister()
        case .linkLost: try await world.cause(.linkLost)
        case .disconnect: try await disconnect()
        case .daemonKilled: try await world.cause(.daemonKilled)
        case .adapterUnplugged: try await world.cause(.adapterUnplugged)
        case .deviceRemoved: try await world.cause(.deviceRemoved)
        }
        try await demand("the ends of \(titles { _ in true }) after \(schedule.ending)") {
            self.titles { _ in true }.isEmpty
        }
        try await demand("the operations of a manager to end") {
            self.registries.allSatisfy { $0.count == 0 }
        }
    }

    private func disconnect() async throws {
        guard let peripheral else { return }
        let index = record.begin("disconnect at the end", .first, isTask: false)
        peripheral.disconnect { [record] in record.end(index, $0) }
        try await demand("the end of the disconnection") { self.record.pending.isEmpty }
    }

    /// Nobody has anything any more.
    private func release() async throws {
        for task in tasks { task.cancel() }
        tasks = []
        writers = [:]
        acquired = []
        characteristics = [:]
        peripheral = nil
        central = nil
        try await demand("\(weaks.filter { $0.object != nil && $0.object !== anchor }.map(\.title)) to go") {
            self.weaks.allSatisfy { $0.object == nil || $0.object === self.anchor }
        }
        try await demand("the operations of a manager that is gone to end") {
            self.registries.allSatisfy { $0.count == 0 }
        }
    }

    /// Everything can be used by others: no queue, link or subscription is left in a state of its own.
    private func probe() async throws {
        try await world.mend()
        var central: CentralManager?
        if let anchor { central = anchor } else { central = await makeCentral(deadline: nil) }
        var isDone = false
        var lastError: (any Error)?
        let task = Task { @BluetoothActor [central, record] in
            for _ in 0..<5 where !isDone {
                // A disconnection of the round may be under way still.
                do {
                    try await Self.probe(central, record)
                    isDone = true
                } catch {
                    lastError = error
                }
            }
        }
        try await demand("the probe of all attributes (\(lastError.map { "\($0)" } ?? "no error"))") { isDone }
        await task.value
        central?.unregisterAll()
        anchor = nil
        central = nil
        try await demand("the peripheral to have no subscription") { await self.world.subscribed.isEmpty }
    }

    private static func probe(_ central: CentralManager?, _ record: FaultRecord) async throws {
        guard let central else { return }
        try await central.waitUntilPoweredOn(deadline: .seconds(10))
        let known = central.retrieveKnownPeripherals().first
        let peripheral: Peripheral
        if let known { peripheral = known } else { peripheral = try await central.firstPeripheral(deadline: .seconds(10)) }
        try await peripheral.connect()
        try await discover(peripheral)
        for attribute in FaultSchedule.Attribute.allCases {
            guard let characteristic = characteristic(attribute, of: peripheral) else {
                throw BluetoothError(.notDiscovered, "The probe misses \(attribute)")
            }
            try await characteristic.readValue()
            let number = record.makeNumber()
            let index = record.begin(
                "write \(attribute) by the probe", attribute, isTask: true, number: number, isWithResponse: true)
            do throws(BluetoothError) {
                try await characteristic.writeValue(Data(FaultRecord.bytes(number)))
                record.end(index, nil)
            } catch {
                record.end(index, error)
                throw error
            }
        }
    }
}
