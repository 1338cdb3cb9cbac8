import TestSupport
import Testing

/// Random orders of everything that can be asked of a peripheral and everything that can go wrong with it.
@Suite(.serialized, .virtualTime) struct CentralFaultTests {
    @Test("In random orders of operations and faults every one ends exactly once, in time, and leaves nothing behind")
    func rounds() async throws {
        try await FaultRounds<CentralFaultStand>.run(60)
    }

    @Test("Rounds of faults leave no file descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            try await FaultRounds<CentralFaultStand>.runCountingDescriptors(10)
        }
    }
}
