import TestSupport
import Testing

/// Random orders of everything that several managers can be asked for, and everything that can go wrong, with one
/// peripheral.
@Suite(.serialized, .virtualTime) struct ManagerFaultTests {
    @Test("What one of several managers does, or its end, takes nothing from the others")
    func rounds() async throws {
        try await FaultRounds<ManagerFaultStand>.run(20)
    }

    @Test("Rounds of faults with several managers leave no file descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            try await FaultRounds<ManagerFaultStand>.runCountingDescriptors(5)
        }
    }
}
