import CoreBlueZ
import Foundation
import Testing

extension Contract.PeripheralRole {
    @Suite(.enabled("needs the air") { try await Side.can("central-advertisements") }) struct Advertising {
        /// Waits until the central hears an advertisement that was sent from now on.
        @BluetoothActor private func heard(
            _ fixture: ContractFixture, _ what: String, _ condition: (HeardAdvertisement) -> Bool
        ) async throws -> HeardAdvertisement {
            try await fixture.listenByCentral()
            var found: HeardAdvertisement?
            try await fixture.wait(for: what, within: 20) {
                found = try await fixture.heardByCentral().first(where: condition)
                return found != nil
            }
            return try #require(found)
        }

        @Test("Row 51: What is advertised is heard: name, services, manufacturer and service data, appearance, power")
        func content() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                var advertisement = LocalAdvertisement(localName: "Thermometer", serviceUUIDs: [0x180D])
                advertisement.manufacturerData = [0xFFFF: Data([1, 2, 3])]
                advertisement.serviceData = [0x180F: Data([87])]
                advertisement.appearance = 0x0340
                advertisement.includesTxPower = true
                let instance = try await manager.startAdvertising(advertisement)
                #expect(instance.isAdvertising)
                let heard = try await heard(fixture, "the advertisement") { $0.name == "Thermometer" }
                #expect(heard.isConnectable)
                #expect(heard.structures[0x03] == Data([0x0D, 0x18]))
                #expect(heard.structures[0xFF] == Data([0xFF, 0xFF, 1, 2, 3]))
                #expect(heard.structures[0x16] == Data([0x0F, 0x18, 87]))
                #expect(heard.structures[0x19] == Data([0x40, 0x03]))
                #expect(heard.structures[0x0A]?.count == 1)
                await instance.stop()
                #expect(!instance.isAdvertising)
            }
        }

        @Test("Row 51: Structures of any type are sent as they are, and the content can change")
        func structures() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                var advertisement = LocalAdvertisement(localName: "Before")
                advertisement.structures = [0x26: Data([1, 2])]
                let instance = try await manager.startAdvertising(advertisement)
                let before = try await heard(fixture, "the advertisement") { $0.name == "Before" }
                #expect(before.structures[0x26] == Data([1, 2]))
                advertisement.localName = "After"
                try await instance.update(advertisement)
                let after = try await heard(fixture, "the change") { $0.name == "After" }
                #expect(after.structures[0x26] == Data([1, 2]))
            }
        }

        @Test("Row 52: What does not fit is an error before BlueZ is asked, and the most that fits is sent")
        func length() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                var advertisement = LocalAdvertisement()
                // The kernel adds three bytes of flags: one byte more than these crashes Linux before 6.16.
                advertisement.manufacturerData = [0xFFFF: Data(count: 24)]
                #expect(advertisement.length == 31)
                let instance = try await manager.startAdvertising(advertisement)
                _ = try await heard(fixture, "31 bytes") { $0.structures[0xFF]?.count == 26 }
                await instance.stop()
                advertisement.manufacturerData = [0xFFFF: Data(count: 27)]
                let error = await #expect(throws: BluetoothError.self) {
                    try await manager.startAdvertising(advertisement)
                }
                #expect(error?.code == .valueTooLong)
                #expect(error?.message.contains("too large by 3 bytes") == true)
                #expect(manager.advertisements.isEmpty)
            }
        }

        @Test("Row 53: An interval that this bluetoothd ignores is reported as ignored")
        func interval() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let capabilities = try await manager.readAdvertisingCapabilities()
                var advertisement = LocalAdvertisement(localName: "Interval")
                advertisement.interval = .milliseconds(100) ... .milliseconds(200)
                let instance = try await manager.startAdvertising(advertisement)
                #expect(instance.ignored == (capabilities.considersIntervals ? [] : [.interval]))
                _ = try await heard(fixture, "the advertisement") { $0.name == "Interval" }
            }
        }

        @Test("Row 54: Advertisements take turns, those that are not connectable from an address of their own")
        func several() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                var broadcast = LocalAdvertisement()
                broadcast.isConnectable = false
                broadcast.manufacturerData = [0xFFFF: Data([7])]
                _ = try await manager.startAdvertising(LocalAdvertisement(localName: "One"))
                _ = try await manager.startAdvertising(broadcast)
                let one = try await heard(fixture, "the connectable one") { $0.name == "One" && $0.isConnectable }
                let other = try await heard(fixture, "the broadcast") {
                    $0.structures[0xFF] == Data([0xFF, 0xFF, 7]) && !$0.isConnectable
                }
                #expect(one.address != other.address)
                try await fixture.connectCentral()
                _ = try await heard(fixture, "the connectable one during a link") {
                    $0.name == "One" && $0.isConnectable
                }
                let capabilities = try await manager.readAdvertisingCapabilities()
                #expect(capabilities.activeInstances == 2)
            }
        }

        @Test("Row 55: After a link, what has replaced its advertisement in the meantime is still connectable")
        func replacedDuringLink() async throws {
            try await ContractFixture.runPeripheral { fixture, manager in
                let first = try await manager.startAdvertising(LocalAdvertisement(localName: "First"))
                try await fixture.connectCentral()
                _ = try await manager.startAdvertising(LocalAdvertisement(localName: "Second"))
                await first.stop()
                try await fixture.disconnectCentral()
                try await fixture.wait(for: "the end of the link") { manager.centrals.isEmpty }
                _ = try await heard(fixture, "the second") { $0.name == "Second" && $0.isConnectable }
                try await fixture.connectCentral()
            }
        }
    }
}
