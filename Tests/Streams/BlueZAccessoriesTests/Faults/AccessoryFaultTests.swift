import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

/// Random orders of everything that can be asked of accessories and everything that can go wrong with them.
@Suite(.serialized, .virtualTime) struct AccessoryFaultTests {
    @Test("In random orders of sessions, bytes and faults every one ends once, and no byte is lost silently")
    func rounds() async throws {
        try await FaultRounds<AccessoryFaultStand>.run(25, atOnce: 8)
    }

    @Test("Rounds of faults leave no file descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            try await FaultRounds<AccessoryFaultStand>.runCountingDescriptors(10)
        }
    }
}

/// Runs schedules on a serial device and a classic one.
final class AccessoryFaultStand: FaultStand {
    private let simulator: AccessorySimulator

    init(seed: UInt64) async throws {
        simulator = try await AccessorySimulator()
    }

    func run(
        _ schedule: LinkSchedule<AccessoryOperation>, patience: Duration
    ) async -> (findings: [FaultFinding], record: ByteRecord) {
        let round = AccessoryRound(schedule, simulator, patience: patience)
        return (await round.findings(), round.record)
    }
}

/// What is asked of an accessory.
enum AccessoryOperation: String, FaultOperation {
    case openSession, openFirst, ready, notifications, write, read, peerSends, peerCloses
    case close, closeDescriptors, releaseSession, cancelTasks, disconnect, removePeripheral, dropManager

    static let likely: [Self] = [
        .openSession, .openSession, .openSession, .write, .write, .write, .write, .read, .read, .peerSends, .peerSends,
    ]
    static let endings: [Self] = [.close, .releaseSession, .disconnect, .removePeripheral, .dropManager]
}

/// What the device has got and sent, one link or channel after the other.
@SimulatorActor final class AccessoryPeer: SerialScript {
    @SimulatorActor private final class Channel {
        var received: [UInt8] = []
        var sent: [UInt8] = []
    }

    private var channels = [Channel()]
    /// It keeps this object.
    private weak var simulator: AccessorySimulator?
    private let isClassic: Bool

    /// Takes the place of the device's earlier behaviour.
    ///
    /// - Parameter seed: decides how its bytes are cut.
    init(_ simulator: AccessorySimulator, isClassic: Bool, seed: UInt64) {
        self.simulator = simulator
        self.isClassic = isClassic
        simulator.peripheral.reset()
        simulator.classic.reset()
        simulator.uart.cutting = .random(upTo: 40)
        simulator.uart.seed(SplitMix64(seed: seed))
        simulator.uart.script = self
        simulator.classic.channelHandler = { [weak self] in self?.opened($0) }
    }

    func received(_ bytes: [UInt8]) -> [[UInt8]] {
        channels[0].received += bytes
        return [bytes]
    }

    private func opened(_ channel: SimulatedRFCOMMChannel) {
        let log = Channel()
        channels.append(log)
        channel.receiveHandler = { [weak channel] bytes in
            log.received += bytes
            log.sent += bytes
            channel?.send(bytes)
        }
    }

    func send(_ bytes: [UInt8]) {
        guard isClassic else { return simulator?.uart.send(bytes) ?? () }
        guard let channel = simulator?.classic.channels.last, channel.isOpen, let log = channels.last else { return }
        log.sent += bytes
        channel.send(bytes)
    }

    func closeChannel() { simulator?.classic.channels.last?.closeWhenSent() }

    var received: [UInt8] { channels.flatMap(\.received) }

    var sent: [UInt8] {
        guard !isClassic, let simulator else { return channels.flatMap(\.sent) }
        let notify = simulator.uart.profile.notify
        return simulator.peripheral.log.filter { $0.operation == .notify && $0.uuid == notify }.flatMap(\.value)
    }
}
