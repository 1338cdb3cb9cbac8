import TestSupport
import Testing

/// Random orders of everything that can be asked of a device behind a gateway, and everything that can go wrong between.
@Suite(.serialized) struct GatewayFaultTests {
    @Test("Whatever fails between a fleet and its gateway, every operation ends once and no write is carried out twice")
    func rounds() async throws {
        try await FaultRounds<GatewayFaultStand>.run(30)
    }

    @Test("Rounds of faults with gateways leave no file descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            try await FaultRounds<GatewayFaultStand>.runCountingDescriptors(10)
        }
    }
}
