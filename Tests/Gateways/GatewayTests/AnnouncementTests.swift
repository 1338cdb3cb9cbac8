import BlueZDBus
import CoreBlueZ
import FoundationEssentials
import GatewayProtocol
import TestSupport
import Testing

@testable import Gateway

extension Gateways {
    /// When a gateway says that it is online.
    @Suite struct AnnouncementTests {
        @Test("A gateway whose status the broker refuses does not say that it is online, until the broker takes it")
        @BluetoothActor func refused() async throws {
            let simulator = try await GatewaySimulator()
            let fixture = GatewayFixture(simulator)
            defer { try? FileManager.default.removeItem(atPath: fixture.directory) }
            let refusals = Lock(0)
            fixture.broker.setRefusal { message, _ in
                guard message.topic.hasSuffix("/status") else { return nil }
                refusals.withLock { $0 += 1 }
                return BrokerError(.notAuthorized, "The broker does not allow this topic")
            }
            try fixture.start()
            try await Patience.wait(for: "two attempts") { refusals.withLock { $0 } >= 2 }
            #expect(fixture.gateway?.isAnnounced == false)
            fixture.broker.setRefusal { _, _ in nil }
            try await Patience.wait(for: "the announcement") { fixture.gateway?.isAnnounced == true }
            #expect(fixture.status?.state == .online)
            fixture.broker.kill()
            try await Patience.wait(for: "the loss") { fixture.gateway?.isAnnounced == false }
            fixture.broker.restart()
            try await Patience.wait(for: "the next announcement") { fixture.gateway?.isAnnounced == true }
            await fixture.end()
        }

        @Test("The status names the devices with a link, as long as they have it")
        func links() async throws {
            try await GatewayFixture.run { fixture in
                #expect(fixture.status?.links == nil)
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                try await Patience.wait(for: "the link") { fixture.status?.links == [GatewaySimulator.device] }
                _ = try await remote.succeed(.disconnect(connected.link), EmptyResult.self)
                try await Patience.wait(for: "its end") { fixture.status?.links == nil }
            }
        }
    }
}
