import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    @Suite(.virtualTime) struct Notifications {
        @Test("Notifications arrive in order at the service's handler", arguments: ["updates", "confirmations"])
        func order(name: String) async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let uuid = name == "updates" ? Probe.updates : Probe.confirmations
                let characteristic = try fixture.characteristic(uuid, of: peripheral)
                var values: [Data?] = []
                characteristic.service?.updateHandler = { characteristic, error in
                    #expect(error == nil)
                    values.append(characteristic.value)
                }
                try await characteristic.setNotifyValue(true)
                #expect(characteristic.isNotifying)
                let sent = try await fixture.ask(
                    "notify", ["char": uuid.fullString, "value": "aa", "count": 20, "number": true]
                )
                #expect(sent["sent"] as? Int == 20)
                try await fixture.wait(for: "20 values", within: 20) { values.count >= 20 }
                #expect(values == (0..<20).map { Data([0xAA, UInt8($0), 0, 0, 0]) })
                try await characteristic.setNotifyValue(false)
                #expect(!characteristic.isNotifying)
                try await fixture.wait(for: "the unsubscription") {
                    try await fixture.log().contains { $0.operation == "unsubscribe" }
                }
                let after = try await fixture.ask("notify", ["char": uuid.fullString, "value": "bb"])
                #expect(after["sent"] as? Int == 0)
                #expect(values.count == 20)
            }
        }

        @Test("Row 33: A read of a notifying characteristic completes the read and does not reach the handler")
        func readEcho() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let updates = try fixture.characteristic(Probe.updates, of: peripheral)
                var values: [Data?] = []
                updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
                try await updates.setNotifyValue(true)
                _ = try await fixture.ask("set", ["char": Probe.updates.fullString, "value": "77"])
                #expect(try await updates.readValue() == Data([0x77]))
                _ = try await fixture.ask("notify", ["char": Probe.updates.fullString, "value": "88"])
                try await fixture.wait(for: "the notification") { !values.isEmpty }
                #expect(values == [Data([0x88])])
            }
        }

        @Test("Notifications are an asynchronous sequence too, which throws when the link ends")
        func sequence() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let updates = try fixture.characteristic(Probe.updates, of: peripheral)
                let sequence = try await updates.notifications()
                _ = try await fixture.ask(
                    "notify", ["char": Probe.updates.fullString, "value": "", "count": 3, "number": true]
                )
                var values: [Data] = []
                var iterator = sequence.makeAsyncIterator()
                while values.count < 3, let value = try await iterator.next() { values.append(value) }
                #expect(values == (0..<3).map { Data([UInt8($0), 0, 0, 0]) })
                _ = try await fixture.ask("disconnect")
                var end: BluetoothError?
                do { _ = try await iterator.next() } catch { end = error as? BluetoothError }
                #expect(end?.code == .disconnected)
            }
        }

        @Test("Row 35: What cannot notify says so")
        func notSupported() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                let error = await #expect(throws: BluetoothError.self) { try await echo.setNotifyValue(true) }
                #expect(error?.code == .notSupported)
            }
        }

        @Test("Row 37: After a reconnection nothing is notified until it is asked for again")
        func reconnection() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                var updates = try fixture.characteristic(Probe.updates, of: peripheral)
                try await updates.setNotifyValue(true)
                _ = try await fixture.ask("disconnect")
                try await fixture.wait(for: "the end of the link", within: 20) { !peripheral.isConnected }
                #expect(!updates.isNotifying)
                try await peripheral.connect()
                for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
                updates = try fixture.characteristic(Probe.updates, of: peripheral)
                var values: [Data?] = []
                updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
                try await updates.setNotifyValue(true)
                _ = try await fixture.ask("notify", ["char": Probe.updates.fullString, "value": "01"])
                try await fixture.wait(for: "the notification") { !values.isEmpty }
                #expect(values == [Data([1])])
            }
        }

        @Test(
            "Row 28: Services that come and go are reported, and found again",
            .enabled("needs add-service") { try await Side.can("add-service", "remove-service") }
        )
        func servicesChange() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                var changes = 0
                peripheral.servicesChangedHandler = { _ in changes += 1 }
                let added = BluetoothUUID(0xABCD)
                _ = try await fixture.ask(
                    "add-service",
                    [
                        "service": [
                            "uuid": added.fullString,
                            "characteristics": [
                                ["uuid": "abce", "properties": ["read"], "value": "0102"] as [String: any Sendable]
                            ],
                        ] as [String: any Sendable]
                    ]
                )
                try await fixture.wait(for: "the new service", within: 30) {
                    guard changes > 0, let services = try? await peripheral.discoverServices() else {
                        return false
                    }
                    return services.contains { $0.uuid == added }
                }
                #expect(try await #require(peripheral[added]?[0xABCE]).readValue() == Data([1, 2]))
                _ = try await fixture.ask("remove-service", ["uuid": added.fullString])
                try await fixture.wait(for: "the service to go", within: 30) { peripheral[added]?.isDiscovered != true }
            }
        }
    }
}
