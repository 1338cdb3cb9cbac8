import BlueZSerial
import BlueZSimulatedSerial
import CoreBlueZ
import TestSupport
import Testing

/// Random orders of everything that can be asked of a serial port and everything that can go wrong with it.
@Suite(.serialized, .virtualTime) struct StreamFaultTests {
    @Test("In random orders of openings, sends, consumers and faults every one ends once, and no byte is lost silently")
    func rounds() async throws {
        try await FaultRounds<StreamFaultStand>.run(25)
    }

    @Test("Rounds of faults leave no file descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            try await FaultRounds<StreamFaultStand>.runCountingDescriptors(10)
        }
    }
}

/// Runs schedules on a serial device.
final class StreamFaultStand: FaultStand {
    private let simulator: SerialSimulator

    init(seed: UInt64) async throws {
        simulator = try await SerialSimulator(.tertiumZhaga, mtu: 64) { RecordingScript() }
    }

    func run(
        _ schedule: LinkSchedule<StreamOperation>, patience: Duration
    ) async -> (findings: [FaultFinding], record: ByteRecord) {
        let round = StreamRound(schedule, simulator, patience: patience)
        return (await round.findings(), round.record)
    }
}

/// Keeps what arrives, and sends it back.
final class RecordingScript: SerialScript {
    var bytes: [UInt8] = []

    func received(_ bytes: [UInt8]) -> [[UInt8]] {
        self.bytes += bytes
        return [bytes]
    }
}

/// What is asked of a serial port.
enum StreamOperation: String, FaultOperation {
    case open, close, send, cancelSend, pauseReading, resumeReading, sequence, peerSends
    case cancelTasks, disconnect, removePeripheral, dropManager

    static let likely: [Self] = [.open, .open, .send, .send, .send, .send, .sequence, .peerSends, .peerSends]
    static let endings: [Self] = [.close, .disconnect, .removePeripheral, .dropManager]
}
