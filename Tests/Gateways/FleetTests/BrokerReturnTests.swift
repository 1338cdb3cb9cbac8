import CoreBlueZ
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

/// The connection to the broker was lost and is back: which gateways are still there?
@Suite struct BrokerReturnTests {
    /// A gateway with a link, which does not answer any longer as the fleet's connection comes back.
    private func withSilentGateway(
        hello: Duration,
        _ body: @BluetoothActor @escaping (FleetFixture, FalseGateway, Peripheral) async throws -> Void
    ) async throws {
        let change: (inout FleetConfiguration) -> Void = {
            $0.lease = .seconds(600)
            $0.timeouts.confirmation = .seconds(600)
            $0.timeouts.hello = hello
            // A request needs a new reading of the clock soon after the last one, but not before its own is there.
            $0.timeouts.clock = Patience.scaled(.seconds(2))
        }
        try await FleetFixture.with([], change) { fixture, central in
            let gateway = try FalseGateway("false", fixture.broker)
            let thing = try await central.connectFirst()
            // Any answer shows that the gateway is there.
            try await Patience.wait(for: "what follows a connection") {
                gateway.count("discover") == 1 && gateway.count("renew") == 1
            }
            for operation in ["hello", "heard", "renew"] { gateway.ignore(operation) }
            try await body(fixture, gateway, thing)
        }
    }

    /// Loses the fleet's connection, and makes it again.
    ///
    /// - Returns: how many questions had no answer before.
    private func loseAndReconnect(_ fixture: FleetFixture, _ gateway: FalseGateway) async throws -> Int {
        fixture.broker.cut("fleet")
        try await Patience.wait(for: "the loss of the connection") { await !fixture.fleet.isConnected }
        let count = gateway.unansweredCount("hello")
        fixture.broker.reconnect("fleet")
        return count
    }

    @Test("A gateway that connects again later than the fleet keeps its links: its status shows that it is there")
    func later() async throws {
        try await withSilentGateway(hello: Patience.scaled(.milliseconds(500))) { fixture, gateway, thing in
            let before = try await loseAndReconnect(fixture, gateway)
            try await Patience.wait(for: "the question") { gateway.unansweredCount("hello") > before }
            gateway.publishOnline()
            try await Patience.wait(for: "two more questions") {
                await fixture.fleet.gateways[gateway.name]?.publishAgain()
                return gateway.unansweredCount("hello") >= before + 3
            }
            #expect(thing.isConnected)
        }
    }

    @Test("A gateway that has left meanwhile is asked twice, and its links are lost")
    func left() async throws {
        try await withSilentGateway(hello: Patience.scaled(.milliseconds(500))) { fixture, gateway, thing in
            let before = try await loseAndReconnect(fixture, gateway)
            try await Patience.wait(for: "the loss of the link") { !thing.isConnected }
            #expect(gateway.unansweredCount("hello") == before + 2)
        }
    }

    @Test("The question from before the loss does not stand for the one after it")
    func askedBefore() async throws {
        try await withSilentGateway(hello: .seconds(600)) { fixture, gateway, thing in
            // Each that the gateway ignores stays pending, and there is a limit: few are sent until the clock is old.
            let pause = Patience.scaled(.milliseconds(100))
            var next = ContinuousClock.now
            try await Patience.wait(for: "the question") {
                if next <= .now {
                    next = .now + pause
                    await fixture.fleet.gateways[gateway.name]?.publishAgain()
                }
                return gateway.unansweredCount("hello") == 1
            }
            #expect(try await loseAndReconnect(fixture, gateway) == 1)
            try await Patience.wait(for: "another question") { gateway.unansweredCount("hello") == 2 }
            #expect(thing.isConnected)
        }
    }
}
