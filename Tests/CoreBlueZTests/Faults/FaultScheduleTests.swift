import Foundation
import Testing

@testable import CoreBlueZ

/// Every completion once, every sequence ended, nothing sent too late or twice, nothing left: under random orders of
/// everything that can be asked for and everything that can go wrong.
///
/// `COREBLUEZ_TEST_SCHEDULES` says how many, `COREBLUEZ_TEST_SEED` which one is the first; see Scripts/faults.
@Suite(.serialized) struct FaultScheduleTests {
    private static let count = number("COREBLUEZ_TEST_SCHEDULES") ?? 300
    private static let firstSeed = number("COREBLUEZ_TEST_SEED") ?? 0
    private static let lanes = 4

    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap(Int.init)
    }

    @Test("In random orders of operations and faults every one ends exactly once, in time, and leaves nothing behind")
    func schedules() async throws {
        let seeds = SeedSource(first: Self.firstSeed, count: Self.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<min(Self.lanes, Self.count) {
                group.addTask { try await FaultLane().run(seeds) }
            }
            try await group.waitForAll()
        }
    }

    @Test("Rounds of faults leave no file descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let lane = FaultLane(shrinks: false)
            // What is opened once for the whole process comes first.
            try await lane.run(SeedSource(first: 1000, count: 10))
            await lane.leave()
            let before = Descriptors.count
            try await lane.run(SeedSource(first: 1010, count: max(20, Self.count / 10)))
            await lane.leave()
            try await Patience.wait(for: "\(before) open descriptors, as before, and not \(Descriptors.count)") {
                Descriptors.count <= before
            }
        }
    }
}

enum Descriptors {
    /// How many file descriptors the process has open, without those that libdispatch and the event loops keep for the
    /// process and make whenever they like: eventpoll, timerfd and eventfd.
    static var count: Int {
        let folder = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let targets = numbers.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        return targets.filter { !$0.hasPrefix("anon_inode:") }.count
    }
}

/// The seeds of a run, for several lanes.
@BluetoothActor final class SeedSource {
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
