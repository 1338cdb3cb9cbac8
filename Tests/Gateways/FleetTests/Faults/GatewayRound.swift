import CoreBlueZ
import Foundation
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

/// What a gateway's device is asked for through a fleet, and what goes wrong between them.
enum GatewayOperation: String, FaultOperation {
    case read, write, command, sequence, discover, disconnect
    case cancelTasks, removePeripheral, dropManager
    case brokerKilled, fleetCut, requestsLost, responsesLost, messagesDoubled, messagesHeld, brokerBack
    case gatewayRestarted

    static let likely: [GatewayOperation] = [
        .read, .write, .write, .write, .write, .write, .sequence, .sequence, .brokerBack, .brokerBack, .brokerBack,
    ]
    static let endings: [GatewayOperation] = [.disconnect, .dropManager]
}

/// Runs one schedule through a fleet, a broker in this process, and a gateway with a simulated bluetoothd.
@BluetoothActor final class GatewayRound: LinkRound<FleetFixture.GatewayFixture, GatewayOperation> {
    private struct Write {
        let number: UInt32
        let entry: Int
        let isConfirmed: Bool
    }

    private static var lastNumber: UInt32 = 0

    private let fixture: FleetFixture
    private var writes: [Write] = []
    private var isDisturbed = false
    /// Whether requests may have been lost, such as those to end subscriptions.
    private var hasBeenDisturbed = false

    init(_ schedule: LinkSchedule<GatewayOperation>, _ fixture: FleetFixture, patience: Duration) async {
        self.fixture = fixture
        super.init(schedule, await fixture.gateway, patience: patience)
    }

    override var bus: BusAddress { .address(fixture.fleet.address) }
    override var address: String { "BC:6A:29:00:00:01" }
    override var isReachable: Bool { get async { isDisturbed ? false : await super.isReachable } }

    override func reset() async throws {
        await simulator.perform { $0.peripheral.reset() }
    }

    override func mend() async throws {
        try await super.mend()
        repairBroker()
        try await demand(.unusable, "the gateway to be online") { await self.fixture.fleet.onlineCount == 1 }
    }

    override func prepare(_ peripheral: Peripheral) async throws {
        for service in try await peripheral.discoverServices() {
            try await service.discoverCharacteristics()
        }
    }

    override func start(_ operation: GatewayOperation, _ number: Int) {
        switch operation {
        case .read, .write, .command, .sequence, .discover: use(operation, byTask: number % 2 == 0)
        case .disconnect: disconnect(number)
        case .cancelTasks: cancelTasks()
        case .removePeripheral: removePeripheral()
        case .dropManager: dropManager()
        case .brokerBack: repairBroker()
        case .gatewayRestarted:
            hasBeenDisturbed = true
            Task { [simulator] in await simulator.restart() }
        default: disturb(operation)
        }
    }

    private func disturb(_ operation: GatewayOperation) {
        isDisturbed = true
        hasBeenDisturbed = true
        switch operation {
        case .brokerKilled: fixture.broker.kill()
        case .fleetCut: fixture.broker.cut("fleet")
        case .messagesDoubled: fixture.broker.setDisposition { _, _ in .duplicate }
        case .messagesHeld: fixture.broker.setDisposition { message, _ in message.isForLink ? .hold : .deliver }
        default:
            let part = operation == .requestsLost ? "/requests/" : "/responses/"
            fixture.broker.setDisposition { message, _ in message.topic.contains(part) ? .drop : .deliver }
        }
    }

    private func repairBroker() {
        fixture.broker.setDisposition { _, _ in .deliver }
        fixture.broker.releaseHeld()
        fixture.broker.restart()
        isDisturbed = false
    }

    private func use(_ operation: GatewayOperation, byTask: Bool) {
        guard let peripheral else { return }
        let title = "\(operation)"
        switch operation {
        case .discover:
            begin(title, byTask: byTask) { _, done in
                peripheral.discoverServices { _, error in done(error) }
            } task: { _ in
                try await peripheral.discoverServices()
            }
        case .sequence:
            guard let updates = peripheral[FleetFixture.service]?[FleetFixture.updates] else { return }
            begin(title, byTask: true, isLasting: true) { _, _ in
            } task: { _ in
                for try await _ in try await updates.notifications() {}
            }
        default:
            guard let value = peripheral[FleetFixture.service]?[FleetFixture.value] else { return }
            if operation == .read { read(value, byTask) } else { write(value, operation == .write, byTask) }
        }
    }

    private func read(_ value: Characteristic, _ byTask: Bool) {
        begin("read", byTask: byTask) { _, done in
            value.readValue { _, error in done(error) }
        } task: { _ in
            try await value.readValue()
        }
    }

    private func write(_ value: Characteristic, _ isConfirmed: Bool, _ byTask: Bool) {
        Self.lastNumber += 1
        let number = Self.lastNumber
        let type = isConfirmed ? CharacteristicWriteType.withResponse : .withoutResponse
        begin("\(isConfirmed ? "write" : "command") \(number)", byTask: byTask) { entry, done in
            writes.append(Write(number: number, entry: entry, isConfirmed: isConfirmed))
            value.writeValue(Self.bytes(number), type: type) { done($0) }
        } task: { [weak self] entry in
            self?.writes.append(Write(number: number, entry: entry, isConfirmed: isConfirmed))
            try await value.writeValue(Self.bytes(number), type: type)
        }
    }

    private static func bytes(_ number: UInt32) -> Data {
        Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
    }

    // MARK: The end

    override func didEnd() async throws {
        // What the gateway was not told of lasts as long as the link.
        if hasBeenDisturbed { try await simulator.cause(.linkLost) }
        try await demand(.leftOver, "the gateway's bluetoothd to have no subscriber") {
            await self.simulator.subscribed.isEmpty
        }
    }

    override func probe() async throws {
        guard let value = peripheral?[FleetFixture.service]?[FleetFixture.value] else {
            throw BluetoothError(.notDiscovered, "The probe misses a characteristic")
        }
        try await value.readValue()
        let (entry, number) = (record.begin("the write of the probe"), Self.lastNumber + 1)
        Self.lastNumber = number
        writes.append(Write(number: number, entry: entry, isConfirmed: true))
        do {
            try await value.writeValue(Self.bytes(number), type: .withResponse)
            record.end(entry, nil)
        } catch {
            record.end(entry, error)
            throw error
        }
    }

    override func judge() async -> [FaultFinding] {
        var received: [Data: Int] = [:]
        for value in await simulator.writes { received[Data(value), default: 0] += 1 }
        var findings: [FaultFinding] = []
        for write in writes {
            let count = received.removeValue(forKey: Self.bytes(write.number)) ?? 0
            let entry = record.entries[write.entry]
            let text = "\(entry.title) (\(entry.error.map { "\($0)" } ?? "succeeded")) was received \(count) times"
            let isUnsent = "\(entry.error.map { "\($0)" } ?? "")".contains("was not sent")
            let isLost = write.isConfirmed && entry.error == nil && entry.ends > 0 && count == 0
            if count > 1 || isLost || (isUnsent && count > 0) { findings.append(FaultFinding(.received, text)) }
        }
        return findings
            + received.keys.map { FaultFinding(.received, "\([UInt8]($0)), which nobody wrote, was received") }
    }
}

extension BrokerMessage {
    fileprivate var isForLink: Bool { topic.contains("/requests/") || topic.contains("/responses/") }
}

/// Runs schedules with one fleet.
final class GatewayFaultStand: FaultStand {
    private let fixture: FleetFixture

    init(seed: UInt64) async throws {
        fixture = try await FleetFixture(["attic"], rssi: [-60], slots: 10, Self.quicken)
    }

    /// What takes its time in real life need not do so here.
    @Sendable private nonisolated static func quicken(_ configuration: inout FleetConfiguration) {
        let time = Patience.scaled(.milliseconds(500))
        configuration.timeouts.connect = time
        configuration.timeouts.discover = time
        configuration.timeouts.value = time
        configuration.timeouts.disconnect = time
        // A device does not advertise while the gateway has its link.
        configuration.lease = Patience.scaled(.seconds(2))
    }

    deinit {
        Task { [fixture] in await fixture.end() }
    }

    func run(
        _ schedule: LinkSchedule<GatewayOperation>, patience: Duration
    ) async -> (findings: [FaultFinding], record: ByteRecord) {
        let round = await GatewayRound(schedule, fixture, patience: patience)
        return (await round.findings(), round.record)
    }
}
