import BlueZSimulator
import FoundationEssentials
import TestSupport

@testable import BlueZClient
@testable import CoreBlueZ

/// Runs one schedule and says what was wrong.
@BluetoothActor final class RoleRound: FaultRound<RoleRecord> {
    private let schedule: LinkSchedule<RoleOperation>
    let simulator: RoleSimulator
    var manager: PeripheralManager?
    /// A service with all that can be asked for; nil after its release.
    var service: LocalService?
    var instances: [AdvertisingInstance] = []
    /// How often the service was published or unpublished.
    var publications = 0
    /// What the use of the service waits for.
    private var awaited = ""

    static let service: BluetoothUUID = "C0B10200-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    static let value: BluetoothUUID = "C0B10201-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    static let sink: BluetoothUUID = "C0B10202-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    static let updates: BluetoothUUID = "C0B10203-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    static let alerts: BluetoothUUID = "C0B10204-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    init(_ schedule: LinkSchedule<RoleOperation>, _ simulator: RoleSimulator, patience: Duration) {
        self.schedule = schedule
        self.simulator = simulator
        let record = RoleRecord()
        let sink = FaultyCharacteristic(Self.sink, .writeWithoutResponse, record)
        sink.acquiresWrites = true
        service = LocalService(
            Self.service,
            characteristics: [
                FaultyCharacteristic(Self.value, [.read, .write], record), sink,
                FaultyCharacteristic(Self.updates, [.read, .notify], record),
                FaultyCharacteristic(Self.alerts, [.read, .indicate], record),
            ])
        super.init(record, patience: patience)
    }

    func run() async throws {
        try await simulator.reset()
        try await restore()
        for step in schedule.steps { try await take(step) }
        try await settle()
        try await probe("the use after the faults")
        for central in simulator.centrals { record.checkUpdates(await central.updates.map(\.value)) }
        try await take(schedule.ending)
        try await releaseManager()
        try check(record.findings)
        try await simulator.mend()
        try await probe("the use by another manager")
        if let service {
            watch(service, "the service")
            for characteristic in service.characteristics { watch(characteristic, "a characteristic") }
        }
        service = nil
        try await releaseManager()
        try check(record.findings)
    }

    private func take(_ step: LinkSchedule<RoleOperation>.Step) async throws {
        switch step {
        case .operation(let operation, let number): start(operation, number)
        case .fault(let fault): try await cause(fault)
        case .restore: try await restore()
        case .pause(let milliseconds): try await BluetoothActor.sleep(for: .milliseconds(milliseconds))
        }
    }

    private func cause(_ fault: LinkFault) async throws {
        switch fault {
        case .noAnswers: record.answer = .never
        case .repliesLost: record.answer = .dropped
        case .repliesLate: record.answer = .late
        case .errors: record.answer = .withError
        case .healed: record.answer = .now
        default: try await simulator.cause(fault, of: simulator.centrals[fault == .peerSilent ? 1 : 0])
        }
    }

    // MARK: The beginning

    /// Publishes the service, and connects the centrals, as far as that is possible.
    private func restore() async throws {
        guard await simulator.isReachable else { return }
        // What is asked for next fails then, which is a round too.
        try await attempt(.incomplete, "the restoring to end") { do { try await $0.find() } catch {} }
    }

    private func find() async throws {
        let manager = manager ?? makeManager()
        self.manager = manager
        awaited = "power"
        try await manager.waitUntilPoweredOn(timeout: .seconds(10))
        awaited = "the service's publication"
        if let service, !manager.services.contains(where: { $0 === service }) { try await manager.publish(service) }
        for index in simulator.centrals.indices {
            awaited = "the link and the discovery of central \(index)"
            try await connect(index, maximumMTU: 517)
        }
    }

    func connect(_ index: Int, maximumMTU: UInt16) async throws {
        let central = simulator.centrals[index]
        if await !central.isConnected {
            try await central.connect(maximumMTU: maximumMTU, timeout: .milliseconds(500))
        }
        try await central.discover()
    }

    private func makeManager() -> PeripheralManager {
        let manager = PeripheralManager(bus: .address(simulator.bluez.address))
        // What takes its time in real life need not do so here.
        manager.client.timeouts.retry = .milliseconds(20)
        manager.responseTimeout = .milliseconds(schedule.timeout ?? 200)
        manager.eventHandler = { [weak self] event in
            switch event {
            case .centralConnected(let central): self?.watch(central, "a central")
            case .centralDisconnected: self?.record.answerLate()
            case .published, .unpublished: self?.publications += 1
            default: break
            }
        }
        let agent = PairingAgent()
        agent.authorizationHandler = { _, reply in reply.accept() }
        manager.centralManager.registerPairingAgent(agent, asDefault: true) { _ in }
        watch(manager, "a manager")
        watch(manager.centralManager, "a central manager")
        return manager
    }

    // MARK: The end

    /// Nothing goes wrong from here on: everything that was begun ends, and what is offered is offered again.
    private func settle() async throws {
        try await simulator.mend()
        record.answer = .now
        record.answerLate()
        try await demandEnds()
        record.release()
        manager?.responseTimeout = .seconds(4)
        try await demand(.unusable, "what is offered to be offered again") {
            guard let manager = self.manager else { return true }
            return manager.services.allSatisfy(\.isPublished) && manager.advertisements.allSatisfy(\.isAdvertising)
        }
    }

    private func demandEnds() async throws {
        try await demand(.incomplete, "the ends of \(record.pending)") { self.record.pending.isEmpty }
    }

    func dropManager() {
        manager = nil
        instances = []
    }

    private func releaseManager() async throws {
        dropManager()
        try await demandEnds()
        record.release()
        try await demandRelease()
    }

    /// A central reads and gets updates, as if nothing had been.
    private func probe(_ what: String) async throws {
        var lastError = "none"
        try await attempt(.unusable, "\(what): \(awaited); last error: \(lastError)") { round in
            while !Task.isCancelled {
                do { return try await round.use() } catch { lastError = "\(error)" }
                try? await BluetoothActor.sleep(for: .milliseconds(1))
            }
        }
    }

    private func use() async throws {
        try await find()
        for (index, central) in simulator.centrals.enumerated() {
            guard let value = await central.characteristic(Self.value),
                let updates = await central.characteristic(Self.updates)
            else { throw FaultFinding(.unusable, "the service was not found") }
            awaited = "a read by central \(index)"
            record.received(try await central.read(value.handle).get(), "the last read")
            awaited = "a subscription of central \(index)"
            _ = try await central.configure(updates, 1).get()
        }
        guard let updates = service?[Self.updates] else { return }
        try await wait(for: "two subscribers, not \(updates.subscribers?.count ?? -1), \(updates.isNotifying)") {
            updates.isNotifying && updates.subscribers?.count != 1
        }
        awaited = "the end of a notification"
        let value = record.makeValue()
        try await updates.notify(value)
        // A link with the smallest MTU cuts it.
        let start = [UInt8](value.prefix(20))
        for (index, central) in simulator.centrals.enumerated() {
            try await wait(for: "the notification of central \(index)") {
                await central.updates.contains { $0.value.starts(with: start) }
            }
        }
    }

    /// Waits as long as the centrals are connected: a link that was lost before may end only now.
    private func wait(
        for what: @autoclosure () -> String, _ condition: @BluetoothActor () async -> Bool
    ) async throws {
        while await !condition() {
            awaited = what()
            for central in simulator.centrals where await !central.isConnected { throw CentralError.notConnected }
            try await BluetoothActor.sleep(for: .milliseconds(1))
        }
    }

    /// Runs something that must end.
    private func attempt(
        _ kind: FaultFinding.Kind, _ what: @autoclosure () -> String,
        _ body: @escaping @BluetoothActor (RoleRound) async -> Void
    ) async throws {
        var isDone = false
        let task = Task { @BluetoothActor in
            await body(self)
            isDone = true
        }
        defer { task.cancel() }
        try await demand(kind, what()) { isDone }
        await task.value
    }
}
