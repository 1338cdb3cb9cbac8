import TestSupport

@testable import CoreBlueZ

/// What several managers of a process are asked for at a time, with the same peripheral.
struct ManagerSchedule: FaultSchedule {
    struct Step: Hashable, Sendable, CustomStringConvertible {
        /// The manager, from 0.
        let manager: Int
        let step: CentralSchedule.Step

        var description: String { "manager \(manager): \(step)" }
    }

    let seed: UInt64
    /// What is particular to each manager, but for its steps.
    let managers: [CentralSchedule]
    var steps: [Step]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var schedules = (0..<Int.random(in: 2...4, using: &random)).map { _ in CentralSchedule(seed: random.next()) }
        steps = []
        // Each manager's steps stay in their order.
        while let manager = schedules.indices.filter({ !schedules[$0].steps.isEmpty }).randomElement(using: &random) {
            steps.append(Step(manager: manager, step: schedules[manager].steps.removeFirst()))
        }
        // What keeps answers from one manager keeps them from all.
        let silencing: [CentralSchedule.Fault] = [.noAnswers, .repliesLost, .peerSilent, .errors]
        let isSilenced = steps.contains { step in silencing.contains { step.step == .fault($0) } }
        let timeout = isSilenced ? 40 : schedules.compactMap(\.timeout).min()
        for index in schedules.indices { schedules[index].timeout = timeout }
        managers = schedules
        self.seed = seed
    }

    var takesObjectsAway: Bool {
        managers.enumerated().contains { index, schedule in
            var schedule = schedule
            schedule.steps = steps.filter { $0.manager == index }.map(\.step)
            return schedule.takesObjectsAway
        }
    }

    var description: String {
        let heads = managers.enumerated().map { "manager \($0.offset): \($0.element)" }
        let lines = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        return (["seed \(seed)"] + heads + lines).joined(separator: "\n")
    }
}

/// The records of all managers of a round.
@BluetoothActor final class ManagerRecord: FaultRecord {
    let records: [CentralRecord]

    init(_ records: [CentralRecord]) {
        self.records = records
    }

    var doubled: [FaultFinding] { records.flatMap(\.doubled) }
}

/// Runs one schedule and says what was wrong.
@BluetoothActor final class ManagerRound: FaultRound<ManagerRecord> {
    private let schedule: ManagerSchedule
    private let simulator: FaultSimulator
    private let rounds: [CentralRound]

    init(_ schedule: ManagerSchedule, _ simulator: FaultSimulator, patience: Duration) {
        self.schedule = schedule
        self.simulator = simulator
        rounds = schedule.managers.enumerated().map { index, schedule in
            CentralRound(schedule, simulator, patience: patience, index: index)
        }
        super.init(ManagerRecord(rounds.map(\.record)), patience: patience)
    }

    func run() async throws {
        try await simulator.reset()
        for round in rounds { try await round.restore() }
        for step in schedule.steps { try await rounds[step.manager].take(step.step) }
        for round in rounds { try await round.settle() }
        for round in rounds {
            // What ended the one before may have taken away what the next one needs for its end.
            try await simulator.mend()
            try await round.end()
            try await round.release()
        }
        if let last = rounds.last { try await last.probe() }
        var findings = await simulator.findings(record.records)
        if schedule.takesObjectsAway { findings.removeAll { $0.kind == .unsentTimeout } }
        try check(findings)
    }
}

/// Runs schedules in a `FaultSimulator`.
final class ManagerFaultStand: FaultStand {
    private let simulator: FaultSimulator

    init(seed: UInt64) async throws {
        simulator = try await FaultSimulator()
    }

    func run(
        _ schedule: ManagerSchedule, patience: Duration
    ) async -> (findings: [FaultFinding], record: ManagerRecord) {
        let round = ManagerRound(schedule, simulator, patience: patience)
        return (await round.findings(round.run), round.record)
    }
}
