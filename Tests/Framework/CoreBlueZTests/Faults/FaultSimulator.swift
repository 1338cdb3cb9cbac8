import BlueZDBus
import BlueZSimulator
import CoreBlueZ
import TestSupport

/// A simulated bluetoothd, its one peripheral, and all that can go wrong with them.
@SimulatorActor final class FaultSimulator: SimulatorFixture {
    nonisolated static let faultyService: BluetoothUUID = "C0B10010-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let faultyAddress = "BC:6A:29:00:00:02"
    private nonisolated static let uuids: [CentralSchedule.Attribute: BluetoothUUID] = [
        .first: "C0B10011-7A6B-4D5E-8F90-1A2B3C4D5E6F",
        .second: "C0B10012-7A6B-4D5E-8F90-1A2B3C4D5E6F",
        .stream: "C0B10013-7A6B-4D5E-8F90-1A2B3C4D5E6F",
    ]
    private static let properties: [CentralSchedule.Attribute: CharacteristicProperties] = [
        .first: [.read, .write, .notify],
        .second: [.read, .write, .writeWithoutResponse, .notify],
        .stream: [.read, .write, .writeWithoutResponse, .notify],
    ]

    private var earlierCalls: [ReceivedCall] = []

    nonisolated static func uuid(_ attribute: CentralSchedule.Attribute) -> BluetoothUUID {
        uuids[attribute] ?? faultyService
    }

    init() async throws {
        let characteristics = CentralSchedule.Attribute.allCases.map { attribute in
            CharacteristicSpecification(
                Self.uuids[attribute] ?? Self.faultyService, Self.properties[attribute] ?? .read, value: [1, 2, 3, 4],
                descriptors: [DescriptorSpecification(0x2901, value: [0x41])]
            )
        }
        let bluez = try await Self.start()
        let peripheral = try bluez.add(
            PeripheralSpecification(
                name: "Faults", address: Self.faultyAddress,
                advertisingInterval: .milliseconds(100),
                services: [ServiceSpecification(Self.faultyService, characteristics: characteristics)]
            )
        )
        super.init(bluez, peripheral)
    }

    private var characteristics: [SimulatedCharacteristic] {
        CentralSchedule.Attribute.allCases.compactMap { Self.uuids[$0].flatMap(peripheral.characteristic) }
    }

    // MARK: Faults

    /// As at the beginning, with an empty log and no calls kept so far.
    func reset() async throws {
        try await mend()
        peripheral.reset()
        earlierCalls = []
        keepCalls()
    }

    /// Lets a fault happen that is not the program's own.
    func cause(_ fault: CentralSchedule.Fault) async throws {
        if let fault = LinkFault(rawValue: fault.rawValue) { return try await cause(fault) }
        if fault == .notification { _ = notifyAll([0]) }
    }

    override func heal(_ peripheral: SimulatedPeripheral) {
        earlierCalls += bluez.calls
        super.heal(peripheral)
    }

    // MARK: The peer's view

    /// Sends a value from every characteristic that is subscribed.
    func notifyAll(_ value: [UInt8]) -> Bool {
        characteristics.filter { peripheral.notify(value, from: $0) }.count > 0
    }

    /// The calls of clients since `reset`.
    var calls: [ReceivedCall] { earlierCalls + bluez.calls }

    /// What must not be, by what the peripheral and bluetoothd have seen since `reset`.
    func findings(_ records: [CentralRecord]) async -> [FaultFinding] {
        await CentralRecord.findings(records, writes: writes, calls: calls)
    }

    /// The characteristics that bluetoothd still has subscribers of.
    var subscribed: [BluetoothUUID] { bluez.notificationSessions(of: peripheral) }
}

/// Runs schedules in a `FaultSimulator`.
final class CentralFaultStand: FaultStand {
    private let simulator: FaultSimulator

    init(seed: UInt64) async throws {
        simulator = try await FaultSimulator()
    }

    func run(
        _ schedule: CentralSchedule, patience: Duration
    ) async -> (findings: [FaultFinding], record: CentralRecord) {
        let round = CentralRound(schedule, simulator, patience: patience)
        return (await round.findings(round.run), round.record)
    }
}
