import CoreBlueZ
import Foundation
import Testing

extension Contract.PeripheralRole {
    @Suite struct Life {
        @Test(
            "Row 56: After a restart of bluetoothd, services and advertisements are registered again",
            .enabled("needs kill-daemon") { try await Side.can("kill-daemon") }
        )
        func restart() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let harness = try #require(fixture.side.harness)
                let value = fixture.value([.read])
                let service = try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                var events: [String] = []
                manager.eventHandler = { event in
                    switch event {
                    case .published: events.append("published")
                    case .unpublished: events.append("unpublished")
                    case .advertisingBegan: events.append("advertising")
                    case .advertisingEnded: events.append("not advertising")
                    default: break
                    }
                }
                try await harness.killDaemon()
                try await fixture.wait(for: "the loss", within: 20) { !service.isPublished }
                try await fixture.wait(for: "the end of the rest") {
                    manager.centrals.isEmpty && manager.advertisements.first?.isAdvertising == false
                }
                try await harness.startDaemon()
                try await fixture.wait(for: "the return", within: 60) {
                    service.isPublished && manager.advertisements.first?.isAdvertising == true
                }
                #expect(events.sorted() == ["advertising", "not advertising", "published", "unpublished"])
                // bluetoothd and the central may still have the old link.
                try? await fixture.disconnectCentral()
                try await fixture.connectCentral()
                value.value = Data([3])
                #expect(try await fixture.readByCentral(value.uuid) == .success(Data([3])))
            }
        }

        @Test("Row 57: An adapter that was off offers the services again, and advertises again")
        func powerCycle() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.read, .notify])
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                _ = try await fixture.subscribeByCentral(value.uuid)
                try await fixture.wait(for: "the subscription") { value.isNotifying }
                try await fixture.central.setPowered(false)
                try await fixture.wait(for: "the end of the link") {
                    manager.centrals.isEmpty && !value.isNotifying
                }
                try await fixture.central.setPowered(true)
                try await manager.waitUntilPoweredOn(timeout: fixture.seconds(30))
                try? await fixture.disconnectCentral()
                try await fixture.connectCentral()
                value.value = Data([3])
                #expect(try await fixture.readByCentral(value.uuid) == .success(Data([3])))
            }
        }

        @Test("Row 58: A read that waits when its service goes ends, and the central stays connected")
        func unpublishedDuringRead() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.read])
                var waiting: [ReadRequest] = []
                value.readHandler = { waiting.append($0) }
                let service = try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                async let answer = fixture.readByCentral(value.uuid)
                try await fixture.wait(for: "the read") { !waiting.isEmpty }
                await manager.unpublish(service)
                #expect(try await answer != .success(Data()))
                #expect(try await fixture.isCentralConnected())
                waiting[0].respond(with: Data([1]))
            }
        }
    }
}
