import BlueZSerial
import BlueZSimulatedSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

/// Random orders of everything that can be asked of exchanges with a card reader and everything that can go wrong.
@Suite(.serialized, .virtualTime) struct ExchangeFaultTests {
    @Test("In random orders of exchanges and faults every one ends once, and a reply is given to its request alone")
    func rounds() async throws {
        try await FaultRounds<ExchangeFaultStand>.run(20, atOnce: 8)
    }

    @Test("Rounds of faults leave no file descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            try await FaultRounds<ExchangeFaultStand>.runCountingDescriptors(10)
        }
    }
}

/// Runs schedules on a card reader.
final class ExchangeFaultStand: FaultStand {
    private let simulator: CardReaderSimulator

    init(seed: UInt64) async throws {
        simulator = try await CardReaderSimulator()
    }

    func run(
        _ schedule: LinkSchedule<ExchangeOperation>, patience: Duration
    ) async -> (findings: [FaultFinding], record: ByteRecord) {
        let round = ExchangeRound(schedule, simulator, patience: patience)
        return (await round.findings(), round.record)
    }
}

/// What is asked of a card reader, and what its replies are like.
enum ExchangeOperation: String, FaultOperation {
    case exchange, cancel, badReply, lateReplies, promptReplies, close, releaseReader
    case cancelTasks, disconnect, removePeripheral, dropManager

    static let likely: [Self] = Array(repeating: .exchange, count: 10) + [.cancel, .badReply, .badReply, .lateReplies]
    static let endings: [Self] = [.close, .releaseReader, .disconnect, .removePeripheral, .dropManager]
}
