import BlueZServer
import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

/// Random orders of everything that centrals and a program can ask of a published service, and everything that can go
/// wrong with it.
@Suite(.serialized, .virtualTime) struct RoleFaultTests {
    @Test("In random orders of requests, updates and faults every one ends exactly once, and leaves nothing behind")
    func rounds() async throws {
        try await FaultRounds<RoleFaultStand>.run(25)
    }

    @Test("Rounds of faults with a published service leave no file descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            try await FaultRounds<RoleFaultStand>.runCountingDescriptors(5)
        }
    }
}

/// What is asked for.
enum RoleOperation: String, FaultOperation {
    case read, readLong, write, command, prepare, readDescriptor
    case subscribe, subscribeToIndications, unsubscribe, pair, connect, holdConfirmations, confirm
    case notify, notifyOne, indicate, indicateOne, publish, unpublish, advertise, stopAdvertising
    case answerTwice, answerAfterLink, answerByTask, cancelTasks, dropManager

    static let likely: [RoleOperation] = [
        .read, .read, .readLong, .write, .subscribe, .subscribeToIndications, .notify, .indicate, .answerTwice,
        .answerAfterLink, .connect, .publish,
    ]
    static let endings: [RoleOperation] = [.dropManager, .unpublish]
}

/// Runs schedules with a bluetoothd that does not name subscribers and, for every second seed, with one that does.
final class RoleFaultStand: FaultStand {
    private let simulator: RoleSimulator

    init(seed: UInt64) async throws {
        simulator = try await RoleSimulator(seed % 2 == 0 ? .v5_66 : .v5_82)
    }

    func run(
        _ schedule: LinkSchedule<RoleOperation>, patience: Duration
    ) async -> (findings: [FaultFinding], record: RoleRecord) {
        let round = RoleRound(schedule, simulator, patience: patience)
        return (await round.findings(round.run), round.record)
    }
}

/// A simulated bluetoothd, two centrals, and all that can go wrong with them.
@SimulatorActor final class RoleSimulator {
    nonisolated let bluez: SimulatedBlueZ
    nonisolated let centrals: [SimulatedCentral]
    nonisolated let isNew: Bool

    init(_ version: BlueZVersion) async throws {
        var configuration = SimulatedBlueZ.Configuration(timing: .instant)
        configuration.version = version
        isNew = version >= .v5_82
        bluez = try await SimulatorFixture.start(configuration)
        centrals = [bluez.addCentral(), bluez.addCentral("F0:CA:FE:00:00:02")]
    }

    /// Makes everything work again.
    func mend() async throws {
        if !bluez.isRunning { try await bluez.restart() }
        bluez.adapters.first?.simulateReplug()
        bluez.adapters.first?.simulatePower(true)
        for central in centrals { central.confirmsIndications = true }
    }

    /// As at the beginning.
    func reset() async throws {
        try await mend()
        for central in centrals {
            central.reset()
            bluez.simulateDeviceRemoval(ofAddress: central.address)
        }
    }

    /// Whether centrals could connect.
    var isReachable: Bool {
        guard let adapter = bluez.adapters.first else { return false }
        return bluez.isRunning && adapter.isPowered && !adapter.isUnplugged
    }

    /// Lets a fault happen that is not the program's own.
    func cause(_ fault: LinkFault, of central: SimulatedCentral) async throws {
        switch fault {
        case .daemonKilled: bluez.simulateCrash()
        case .daemonStarted: try await bluez.restart()
        case .adapterUnplugged: bluez.adapters.first?.simulateUnplug()
        case .adapterPlugged: bluez.adapters.first?.simulateReplug()
        case .powerOff: bluez.adapters.first?.simulatePower(false)
        case .powerOn: bluez.adapters.first?.simulatePower(true)
        case .linkLost: central.disconnect()
        case .peerSilent: central.simulateRangeLoss(supervisionTimeout: .milliseconds(20))
        case .deviceRemoved: bluez.simulateDeviceRemoval(ofAddress: central.address)
        case .peerReturns, .noAnswers, .repliesLost, .repliesLate, .errors, .healed: break
        }
    }

    /// Confirms indications, or keeps their confirmations until later.
    func confirm(_ isPrompt: Bool, _ central: SimulatedCentral) { central.confirmsIndications = isPrompt }
}
