import TestSupport
import Testing

/// Random orders of everything that can be asked of a device behind a gateway, and everything that can go wrong between.
@Suite(.serialized) struct GatewayFaultTests {
    @Test("Whatever fails between a fleet and its gateway, every operation ends once and no write is carried out twice")
    func rounds() async throws {
        try await FaultRounds<GatewayFaultStand>.run(6)
    }

    @Test("A client that goes while it subscribes leaves no subscription on the gateway")
    func leavingWhileSubscribing() async throws {
        var schedule = try #require(
            (0...).lazy.map { LinkSchedule<GatewayOperation>(seed: $0) }.first {
                $0.ending == .operation(.dropManager, 0)
            })
        schedule.steps = [.operation(.sequence, 0)]
        let stand = try await GatewayFaultStand(seed: schedule.seed)
        for _ in 0..<3 {
            let findings = await stand.run(schedule, patience: .seconds(60)).findings
            #expect(findings.isEmpty, "\(findings)")
        }
    }

    @Test("Rounds of faults with gateways leave no file descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            try await FaultRounds<GatewayFaultStand>.runCountingDescriptors(5)
        }
    }
}
