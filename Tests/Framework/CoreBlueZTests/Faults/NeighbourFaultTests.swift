import TestSupport
import Testing

/// Two programs that connect, disconnect and pair the same devices at the same time.
@Suite(.serialized, .virtualTime) struct NeighbourFaultTests {
    @Test("Beside another program that uses the same peripheral, this one ends none of its links and attempts")
    func centralRounds() async throws {
        try await FaultRounds<NeighbourStand<CentralNeighbours>>.run(30)
    }

    @Test("Beside another program that uses the same centrals, a published service ends none of its links and attempts")
    func peripheralRounds() async throws {
        try await FaultRounds<NeighbourStand<RoleNeighbours>>.run(30)
    }
}
