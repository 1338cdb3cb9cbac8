import CoreBlueZ
import Foundation
import Testing

extension Contract.PeripheralRole {
    @Suite struct Subscriptions {
        @Test("Row 48: Notifications are not paced: many at once arrive in order, each once")
        func manyNotifications() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.read, .notify])
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                #expect(!value.isNotifying)
                #expect(try await fixture.subscribeByCentral(value.uuid) == .done)
                try await fixture.wait(for: "the subscription") { value.isNotifying }
                let sent = (0..<200).map { Data([UInt8($0), 0xAA]) }
                for each in sent { try await value.notify(each) }
                try await fixture.wait(for: "200 values", within: 20) {
                    try await fixture.centralUpdates().count >= 200
                }
                let updates = try await fixture.centralUpdates()
                #expect(updates.map(\.value) == sent)
                #expect(updates.allSatisfy { $0.characteristic == value.uuid && !$0.isIndication })
            }
        }

        @Test("Row 48: A notification is cut after the MTU minus 3 bytes")
        func cut() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.notify])
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral(mtu: 23)
                _ = try await fixture.subscribeByCentral(value.uuid)
                try await fixture.wait(for: "the subscription") { value.isNotifying }
                try await value.notify(Data(0..<40))
                try await fixture.wait(for: "the value") { try await !fixture.centralUpdates().isEmpty }
                #expect(try await fixture.centralUpdates().map(\.value) == [Data(0..<20)])
            }
        }

        @Test("Row 49: An indication waits for the confirmation of the one before it")
        func indications() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.indicate])
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                _ = try await fixture.subscribeByCentral(value.uuid, "indicate")
                try await fixture.wait(for: "the subscription") { value.isNotifying }
                try await fixture.setCentralConfirms(false)
                var ends: [BluetoothError?] = []
                value.indicate(Data([1])) { ends.append($0) }
                value.indicate(Data([2])) { ends.append($0) }
                try await fixture.wait(for: "the first indication") {
                    try await !fixture.centralUpdates().isEmpty
                }
                #expect(ends.isEmpty)
                try await fixture.setCentralConfirms(true)
                try await fixture.wait(for: "both confirmations") { ends.count == 2 }
                #expect(ends.allSatisfy { $0 == nil })
                let updates = try await fixture.centralUpdates()
                #expect(updates.map(\.value) == [Data([1]), Data([2])])
                #expect(updates.map(\.isIndication) == [true, true])
            }
        }

        @Test("Row 50: A subscription ends with off, and with the link of a central that is not bonded")
        func ends() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.notify, .indicate])
                var changes: [Bool] = []
                value.subscriptionHandler = { _, change in
                    if case .subscribed = change { changes.append(true) } else { changes.append(false) }
                }
                try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                _ = try await fixture.subscribeByCentral(value.uuid)
                try await fixture.wait(for: "the subscription") { changes == [true] }
                #expect(value.subscribers == nil || value.subscribers == manager.centrals)
                _ = try await fixture.subscribeByCentral(value.uuid, "off")
                try await fixture.wait(for: "the end") { changes == [true, false] }
                #expect(value.subscribers == [])
                for isPolite in [true, false] {
                    changes = []
                    _ = try await fixture.subscribeByCentral(value.uuid)
                    try await fixture.wait(for: "the next subscription") { changes == [true] }
                    if isPolite { try await fixture.disconnectCentral() } else { try await fixture.loseCentral() }
                    try await fixture.wait(for: "its end with the link") { changes == [true, false] }
                    #expect(!value.isNotifying)
                    if isPolite { try await fixture.connectCentral() }
                }
            }
        }

        @Test(
            "Row 50: A bonded central stays subscribed without a link, and gets values when it is back",
            .enabled("needs pairing") { try await Side.can("central-pair") }
        )
        func bonded() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let agent = PairingAgent()
                agent.setAuthorizationHandler { _ in true }
                try await fixture.central.registerPairingAgent(agent, asDefault: true)
                let value = fixture.value([.notify])
                let secret = LocalCharacteristic(
                    PeerCentral.otherValue, properties: [.read], permissions: [.readEncrypted], value: Data([5]))
                try await fixture.serve([value, secret], by: manager)
                try await fixture.connectCentral()
                #expect(try await fixture.readByCentral(secret.uuid) == .failure(.insufficientEncryption))
                #expect(try await fixture.pairCentral())
                #expect(try await fixture.readByCentral(secret.uuid) == .success(Data([5])))
                try await fixture.wait(for: "the bond") { manager.centrals.first?.isBonded == true }
                _ = try await fixture.subscribeByCentral(value.uuid)
                try await fixture.wait(for: "the subscription") { value.isNotifying }
                try await fixture.disconnectCentral()
                try await fixture.wait(for: "the end of the link") { manager.centrals.isEmpty }
                try await fixture.connectCentral()
                try await fixture.wait(for: "the central") { !manager.centrals.isEmpty }
                try await value.notify(Data([6]))
                try await fixture.wait(for: "the value without a new subscription") {
                    try await fixture.centralUpdates().map(\.value) == [Data([6])]
                }
            }
        }

        @Test("Row 48: Values for subscribers go nowhere after the service is unpublished, and that is an error")
        func unpublished() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let value = fixture.value([.notify])
                let service = try await fixture.serve([value], by: manager)
                try await fixture.connectCentral()
                _ = try await fixture.subscribeByCentral(value.uuid)
                try await fixture.wait(for: "the subscription") { value.isNotifying }
                await manager.unpublish(service)
                #expect(!value.isNotifying)
                await #expect(throws: BluetoothError.self) { try await value.notify(Data([1])) }
                #expect(try await fixture.isCentralConnected())
            }
        }
    }
}
