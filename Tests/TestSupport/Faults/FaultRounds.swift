import CoreBlueZ
import Foundation
import Testing

/// Rounds of faults in one layer: every completion once, everything ended, nothing lost and nothing left, in random
/// orders of all that can be asked for and all that can go wrong.
///
/// `COREBLUEZ_TEST_SCHEDULES` says how many rounds, `COREBLUEZ_TEST_SEED` which one is the first; see Scripts/faults.
@BluetoothActor public final class FaultRounds<Stand: FaultStand> {
    /// The rounds before: nothing more may happen in them.
    private var earlier: [(seed: UInt64, record: Stand.Record)] = []
    /// Whether the shortest part of a round that fails is looked for.
    private let shrinks: Bool

    /// How long what must happen may take on an idle machine, and while a failure is examined. bluetoothd does not answer
    /// an AcquireNotify that the peripheral refuses: that ends after 35 s.
    private static var patience: Duration { .seconds(60) }
    private static var shrinkingPatience: Duration { VirtualTime.isOn ? patience : .seconds(4) }

    private nonisolated init(shrinks: Bool) {
        self.shrinks = shrinks
    }

    /// Runs rounds, some at the same time.
    ///
    /// - Parameters:
    ///   - standard: how many if the environment says nothing.
    ///   - atOnce: how many there are at a time, on the real clock. On the virtual one, a round is alone, so that its seed
    ///     determines it.
    public nonisolated static func run(_ standard: Int, atOnce: Int = 4) async throws {
        let count = number("COREBLUEZ_TEST_SCHEDULES") ?? standard
        let seeds = SeedSource(first: number("COREBLUEZ_TEST_SEED") ?? 0, count: count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<(VirtualTime.isOn ? 1 : min(atOnce, count)) {
                group.addTask { try await FaultRounds(shrinks: true).run(seeds) }
            }
            try await group.waitForAll()
        }
    }

    /// Runs rounds in a process that has nothing else to do, and waits until no more file descriptors are open than
    /// before.
    ///
    /// - Parameter standard: how many if the environment says nothing; otherwise a tenth of what it says.
    public nonisolated static func runCountingDescriptors(_ standard: Int) async throws {
        try await VirtualTime.run { try await countDescriptors(standard) }
    }

    private nonisolated static func countDescriptors(_ standard: Int) async throws {
        let rounds = FaultRounds(shrinks: false)
        // What is opened once for the whole process comes first.
        try await rounds.run(SeedSource(first: 1000, count: 5))
        await rounds.forget()
        let before = descriptors
        try await rounds.run(
            SeedSource(first: 1005, count: max(standard, (number("COREBLUEZ_TEST_SCHEDULES") ?? 0) / 10)))
        await rounds.forget()
        do {
            try await eventually("the descriptors") { descriptors.count <= before.count }
        } catch {
            // The text of an error that is thrown here is lost.
            Issue.record("\(before.sorted()) were open before, \(descriptors.sorted()) are now")
        }
    }

    private nonisolated static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap(Int.init)
    }

    /// What the file descriptors of the process refer to, without those that libdispatch and the event loops keep for the
    /// process and make whenever they like: eventpoll, timerfd and eventfd.
    private nonisolated static var descriptors: [String] {
        let folder = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let targets = numbers.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        return targets.filter { !$0.hasPrefix("anon_inode:") }
    }

    private func run(_ seeds: SeedSource) async throws {
        while let seed = seeds.take() {
            let schedule = Stand.Schedule(seed: seed)
            let findings = try await run(schedule, patience: Self.patience)
            if let first = findings.first {
                seeds.noteFailure()
                let shortest = shrinks ? try await shortest(schedule, first.kind) : nil
                report(schedule, findings, shortest)
            }
            checkEarlier()
        }
    }

    private func forget() { earlier = [] }

    private func run(_ schedule: Stand.Schedule, patience: Duration) async throws -> [FaultFinding] {
        if traceFile != nil { await TestBus.beginTrace() }
        let (findings, record) = await (try await Stand(seed: schedule.seed)).run(schedule, patience: patience)
        if let traceFile {
            let lines = ["seed \(schedule.seed)"] + (await TestBus.endTrace())
            try traceFile.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
        }
        if findings.isEmpty { earlier.append((schedule.seed, record)) }
        return findings
    }

    private func checkEarlier() {
        for round in earlier where !round.record.doubled.isEmpty {
            Issue.record("seed \(round.seed), after its end: \(round.record.doubled)")
        }
        if earlier.count > 8 { earlier.removeFirst() }
    }

    /// The shortest part that was seen to fail in the same manner.
    private func shortest(_ schedule: Stand.Schedule, _ kind: FaultFinding.Kind) async throws -> String {
        var last = "no part did; it may take more than one run"
        let (steps, tries) = try await ScheduleShrinker(limit: 60).shrink(schedule.steps) { steps in
            var shorter = schedule
            shorter.steps = steps
            // On the real clock, a race may need more than one run.
            for _ in 0..<(VirtualTime.isOn ? 1 : 2) {
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

    private func report(_ schedule: Stand.Schedule, _ findings: [FaultFinding], _ shortest: String?) {
        let lines = findings.map(\.text) + ["\(schedule)"] + (shortest.map { [$0] } ?? [])
        Issue.record("A round of faults failed.\n\(lines.joined(separator: "\n"))")
    }
}

/// The seeds of a run, for several stands.
@BluetoothActor private final class SeedSource {
    private var next: Int
    private let end: Int
    private var failures = 0
    /// A defect fails in many rounds; each costs the time of the shrinking.
    private static let enough = 4

    nonisolated init(first: Int, count: Int) {
        next = first
        end = first + count
    }

    func take() -> UInt64? {
        guard next < end, failures < Self.enough else { return nil }
        defer { next += 1 }
        return UInt64(next)
    }

    func noteFailure() { failures += 1 }
}

/// What the rounds' D-Bus messages are written to: the file that `COREBLUEZ_TEST_TRACES` names.
@BluetoothActor private let traceFile: FileHandle? = {
    guard let path = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_TRACES"] else { return nil }
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    return FileHandle(forWritingAtPath: path)
}()
