import BlueZDBus
import BlueZServer
import BlueZSimulator
import CoreBlueZ
import Foundation
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

extension FleetTests {
    @Test("A fleet leaves no adapter in memory", arguments: FleetConfiguration.Adapters.allCases)
    func releasedAdapter(adapters: FleetConfiguration.Adapters) async throws {
        let released = Lock(WeakAdapter())
        try await FleetFixture.with(["attic"], { $0.adapters = adapters }) { fixture, central in
            _ = try await central.connectThing()
            let adapter = try #require(await fixture.fleet.daemon.adapters.first)
            released.withLock { $0.adapter = adapter }
        }
        try await Patience.wait(for: "the adapter's release") { released.withLock { $0.adapter } == nil }
    }

    private struct WeakAdapter {
        weak var adapter: BlueZServer.Adapter?
    }

    @Test("A pairing that is refused at once leaves nothing in memory")
    func refusedPairing() async throws {
        try await FleetFixture.with { fixture, central in
            _ = try await central.connectThing()
            fixture.broker.setDisposition { _, _ in .drop }
            try await Self.expectReleasedRefusal(fixture)
            fixture.broker.setDisposition { _, _ in .deliver }
        }
    }

    @BlueZServerActor private static func expectReleasedRefusal(_ fixture: FleetFixture) throws {
        let link = try #require(fixture.link)
        var request: PendingRequest
        repeat {
            request = link.request(.hello, timeout: .seconds(60)) { (_: Result<HelloResult, RequestFailure>) in }
        } while request.isWanted
        var refusals = 0
        var pairing: FleetPairing? = FleetPairing(link) { _ in refusals += 1 }
        weak let released = pairing
        pairing?.start()
        pairing = nil
        #expect(refusals == 1)
        #expect(released == nil)
    }

    @Test("Reads and writes leave nothing in memory", arguments: [false, true])
    func releasedRequests(writes: Bool) async throws {
        try await FleetFixture.with { fixture, central in
            let value = try await central.connectThing().characteristic(FleetFixture.value)
            fixture.broker.setDisposition { _, _ in .hold }
            let use = Task { @BluetoothActor in
                if writes { try await value.writeValue(Data([1])) } else { _ = try await value.readValue() }
            }
            try await Patience.wait(for: "the request") { await fixture.link?.requests.isEmpty == false }
            try await Self.expectReleasedRequest(fixture)
            try await use.value
        }
    }

    @BlueZServerActor private static func expectReleasedRequest(_ fixture: FleetFixture) async throws {
        weak let released = try #require(fixture.link?.requests.values.first)
        fixture.broker.setDisposition { _, _ in .deliver }
        fixture.broker.releaseHeld()
        try await Patience.wait(for: "the request's release") { released == nil }
    }
}
