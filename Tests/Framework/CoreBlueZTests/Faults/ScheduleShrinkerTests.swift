import TestSupport
import Testing

@Suite(.virtualTime) struct ScheduleShrinkerTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let count: Int
        /// What a part needs to fail.
        let needed: Set<Int>
        var testDescription: String { "\(needed.sorted()) of \(count)" }
    }

    @Test(
        "A failing list is cut down to what the failure needs",
        arguments: [
            Row(count: 1, needed: []), Row(count: 1, needed: [0]), Row(count: 2, needed: [1]),
            Row(count: 25, needed: [0]), Row(count: 25, needed: [24]), Row(count: 25, needed: [3, 4]),
            Row(count: 33, needed: [0, 16, 32]), Row(count: 7, needed: [0, 1, 2, 3, 4, 5, 6]),
            Row(count: 9, needed: []),
        ]
    )
    func table(row: Row) async {
        let result = await ScheduleShrinker(limit: 1000).shrink(Array(0..<row.count)) { row.needed.isSubset(of: $0) }
        #expect(result.elements == row.needed.sorted())
    }

    @Test("Order and repetitions count, and one of many equal elements is enough")
    func order() async {
        let elements = [2, 1, 1, 2, 3, 1, 2]
        let result = await ScheduleShrinker().shrink(elements) { part in
            part.firstIndex(of: 1).map { part[$0...].contains(2) } ?? false
        }
        #expect(result.elements == [1, 2])
    }

    @Test("The tries have a limit, and what was found until then is returned")
    func limit() async {
        var tries = 0
        let result = await ScheduleShrinker(limit: 3).shrink(Array(0..<64)) { part in
            tries += 1
            return part.contains(0)
        }
        #expect(tries == 3)
        #expect(result.tries == 3)
        #expect(result.elements.count < 64)
        #expect(result.elements.contains(0))
    }

    @Test("The schedule of a seed is always the same, and has 3 operations at least", arguments: [0, 1, 2, 299, .max])
    func seeds(seed: UInt64) {
        let schedule = CentralSchedule(seed: seed)
        #expect(schedule == CentralSchedule(seed: seed))
        #expect(schedule != CentralSchedule(seed: seed &+ 1))
        let operations = schedule.steps.filter { if case .operation = $0 { true } else { false } }
        #expect(operations.count >= 3)
    }
}
