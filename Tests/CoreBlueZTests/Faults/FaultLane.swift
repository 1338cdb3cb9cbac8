import Testing

@testable import CoreBlueZ

/// Runs one schedule after another in one world.
@BluetoothActor final class FaultLane {
    private var world: FaultWorld?
    /// The rounds before: nothing may happen in them any more.
    private var earlier: [(seed: UInt64, record: FaultRecord)] = []

    /// How long what must happen may take: on a machine that is busy, and where a failure is looked into.
    private static let patience = Duration.seconds(60)
    private static let shrinkingPatience = Duration.seconds(4)

    nonisolated init() {}

    func run(_ seeds: SeedSource) async throws {
        while let seed = seeds.take() {
            let schedule = FaultSchedule(seed: seed)
            let failures = try await run(schedule, patience: Self.patience)
            if !failures.isEmpty {
                seeds.noteFailure()
                try await report(schedule, failures)
            }
            checkEarlier()
        }
    }

    /// Lets the world go.
    func leave() {
        world = nil
        earlier = []
    }

    private func run(_ schedule: FaultSchedule, patience: Duration) async throws -> [String] {
        let world: FaultWorld
        if let current = self.world { world = current } else { world = try await FaultWorld() }
        self.world = world
        let (failures, record) = await FaultRunner.run(schedule, in: world, patience: patience)
        // What hangs stays in its world.
        if failures.isEmpty { earlier.append((schedule.seed, record)) } else { self.world = nil }
        return failures
    }

    private func checkEarlier() {
        for round in earlier where !round.record.doubled.isEmpty {
            Issue.record("seed \(round.seed), after its end: \(round.record.doubled.joined(separator: "; "))")
        }
        if earlier.count > 8 { earlier.removeFirst() }
    }

    private func report(_ schedule: FaultSchedule, _ failures: [String]) async throws {
        var last = failures
        let (steps, tries) = try await ScheduleShrinker(limit: 60).shrink(schedule.steps) { steps in
            var shorter = schedule
            shorter.steps = steps
            // A race may need more than one run.
            for _ in 0..<2 {
                let found = try await self.run(shorter, patience: Self.shrinkingPatience)
                guard found.isEmpty else {
                    last = found
                    return true
                }
            }
            return false
        }
        var shortest = schedule
        shortest.steps = steps
        Issue.record(
            """
            A round of faults failed.
            \(failures.joined(separator: "\n"))
            \(schedule)
            The shortest of \(tries) parts that failed too:
            \(last.joined(separator: "\n"))
            \(shortest)
            """
        )
    }
}
