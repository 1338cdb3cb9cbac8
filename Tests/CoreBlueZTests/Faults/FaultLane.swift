import Testing

@testable import CoreBlueZ

/// Runs one schedule after another in one simulator.
@BluetoothActor final class FaultLane {
    private var simulator: FaultSimulator?
    /// The rounds before: nothing more may happen in them.
    private var earlier: [(seed: UInt64, record: FaultRecord)] = []

    /// How long what must happen may take on an idle machine, and while a failure is examined. bluetoothd does not answer
    /// an AcquireNotify that the peripheral refuses: that ends after 35 s.
    private static let patience = Duration.seconds(60)
    private static let shrinkingPatience = Duration.seconds(4)

    /// Whether the shortest part of a round that fails is looked for.
    private let shrinks: Bool

    nonisolated init(shrinks: Bool = true) {
        self.shrinks = shrinks
    }

    func run(_ seeds: SeedSource) async throws {
        while let seed = seeds.take() {
            let schedule = FaultSchedule(seed: seed)
            let findings = try await run(schedule, patience: Self.patience)
            if let first = findings.first {
                seeds.noteFailure()
                let shortest = shrinks ? try await shortest(schedule, first.kind) : nil
                report(schedule, findings, shortest)
            }
            checkEarlier()
        }
    }

    /// Releases the simulator.
    func leave() {
        simulator = nil
        earlier = []
    }

    private func run(_ schedule: FaultSchedule, patience: Duration) async throws -> [FaultFinding] {
        let simulator: FaultSimulator
        if let current = self.simulator { simulator = current } else { simulator = try await FaultSimulator() }
        self.simulator = simulator
        let (findings, record) = await FaultRunner.run(schedule, in: simulator, patience: patience)
        // What hangs stays in its simulator.
        if findings.isEmpty { earlier.append((schedule.seed, record)) } else { self.simulator = nil }
        return findings
    }

    private func checkEarlier() {
        for round in earlier where !round.record.doubled.isEmpty {
            Issue.record("seed \(round.seed), after its end: \(round.record.doubled)")
        }
        if earlier.count > 8 { earlier.removeFirst() }
    }

    /// The shortest part that was seen to fail in the same manner.
    private func shortest(_ schedule: FaultSchedule, _ kind: FaultFinding.Kind) async throws -> String {
        var last = "no part did; it may take more than one run"
        let (steps, tries) = try await ScheduleShrinker(limit: 60).shrink(schedule.steps) { steps in
            var shorter = schedule
            shorter.steps = steps
            // A race may need more than one run.
            for _ in 0..<2 {
                let findings = try await self.run(shorter, patience: Self.shrinkingPatience)
                guard findings.contains(where: { $0.kind == kind }) else { continue }
                last = "\(findings)"
                return true
            }
            return false
        }
        var shortest = schedule
        shortest.steps = steps
        return "The shortest of \(tries) parts that failed so too: \(last)\n\(shortest)"
    }

    private func report(_ schedule: FaultSchedule, _ findings: [FaultFinding], _ shortest: String?) {
        let lines = findings.map(\.text) + ["\(schedule)"] + (shortest.map { [$0] } ?? [])
        Issue.record("A round of faults failed.\n\(lines.joined(separator: "\n"))")
    }
}
