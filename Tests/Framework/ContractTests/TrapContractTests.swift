import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    /// Rows of Documentation/KnownProblems.md that a real bluetoothd brings about, beside those that other tests name.
    @Suite(.virtualTime) struct Traps {
        @Test(
            "Row 1: Without bluetoothd the state is unsupported, and its start is noticed",
            .enabled("needs kill-daemon") { try await Side.can("kill-daemon") }
        )
        func absent() async throws {
            try await ContractFixture.run { fixture in
                let harness = try #require(fixture.side.harness)
                try await harness.killDaemon()
                let central = CentralManager(bus: fixture.side.bus)
                try await fixture.wait(for: "the loss", within: 20) { fixture.central.state == .resetting }
                #expect(central.state != .poweredOn)
                try await harness.startDaemon()
                try await central.waitUntilPoweredOn(timeout: fixture.seconds(30))
                try await fixture.central.waitUntilPoweredOn(timeout: fixture.seconds(30))
            }
        }

        @Test("Row 10: Scans that stop and start at once all find")
        func stopsAndStarts() async throws {
            try await ContractFixture.run { fixture in
                for _ in 0..<4 { _ = try await fixture.findProbe() }
            }
        }

        @Test("Row 11: A peripheral that advertises as limited discoverable is found")
        func findsTag() async throws {
            try await ContractFixture.run { fixture in
                let tag = try await fixture.central.firstPeripheral(timeout: fixture.seconds(20)) { peripheral, _ in
                    peripheral.address != Probe.address
                }
                #expect(tag.address != nil)
            }
        }

        @Test(
            "Row 13: A peripheral that is only remembered is not found, but retrieved",
            .enabled("needs vanish") { try await Side.can("vanish", "return") }
        )
        func remembered() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                try await peripheral.disconnect()
                _ = try await fixture.ask("vanish")
                // bluetoothd forgets the peripheral 30 s after the link, which the scan must not take.
                await #expect(throws: BluetoothError.self) {
                    try await fixture.central.firstPeripheral(timeout: fixture.seconds(0.2)) { peripheral, _ in
                        peripheral.address == Probe.address
                    }
                }
                #expect(fixture.central.retrievePeripheral(withIdentifier: Probe.address) === peripheral)
                _ = try await fixture.ask("return")
            }
        }

        @Test("Row 14: The signal strength is gone when the scan is, and that is no advertisement")
        func strength() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await fixture.wait(for: "the strength to go", within: 20) { peripheral.rssi == nil }
                #expect(!fixture.central.isScanning)
            }
        }

        @Test("Row 15: With duplicates the same advertisement is reported again and again")
        func duplicates() async throws {
            try await ContractFixture.run { fixture in
                var count = 0
                fixture.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { peripheral, _, _ in
                    if peripheral.address == Probe.address { count += 1 }
                } completion: { _ in
                }
                try await fixture.wait(for: "three reports", within: 30) { count >= 3 }
                fixture.central.stopScan()
            }
        }

        @Test("Row 16: Connecting what BlueZ has dropped says peripheralGone, and works once it is found again")
        func dropped() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                // Another advertisement, while bluetoothd still ends the scan, would list it again.
                _ = try await fixture.ask("advertise", ["on": false])
                try await fixture.central.forgetPeripheral(peripheral)
                let error = await #expect(throws: BluetoothError.self) { try await peripheral.connect() }
                #expect(error?.code == .peripheralGone)
                _ = try await fixture.ask("advertise", ["on": true])
                #expect(try await fixture.findProbe() === peripheral)
                try await peripheral.connect()
            }
        }

        @Test("Row 5: A read under way when BlueZ drops the peripheral ends, though BlueZ never answers it")
        func neverAnswered() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                _ = try await fixture.ask("delay", ["char": Probe.echo.fullString, "ms": 25_000])
                let read = Once<BluetoothError?>()
                echo.readValue { read($1) }
                try await fixture.wait(for: "the read to reach the peer") {
                    try await fixture.log().contains { $0.operation == "read" }
                }
                try await fixture.central.forgetPeripheral(peripheral)
                try await fixture.wait(for: "the end of the read") { read.isCalled }
                #expect([.disconnected, .peripheralGone, .attributeGone].contains(try read.only()?.code))
            }
        }

        @Test("Row 17: A scan goes on after a connection was made during it")
        func scansOn() async throws {
            try await ContractFixture.run { fixture in
                var found: Peripheral?
                var others = 0
                let end = Once<BluetoothError?>()
                fixture.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { peripheral, _, _ in
                    if peripheral.address == Probe.address { found = peripheral } else { others += 1 }
                } completion: {
                    end($0)
                }
                try await fixture.wait(for: "the probe", within: 30) { found != nil }
                try await found?.connect()
                let before = others
                try await fixture.wait(for: "the tag's next reports", within: 30) { others > before }
                #expect(!end.isCalled)
                fixture.central.stopScan()
                #expect(try end.only() == nil)
            }
        }

        @Test("Row 20: A connect while disconnecting gets a link of its own")
        func reconnects() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                var ends: [String] = []
                peripheral.disconnect { ends.append("disconnect \($0?.code.rawValue ?? "nil")") }
                peripheral.connect { ends.append("connect \($0?.code.rawValue ?? "nil")") }
                try await fixture.wait(for: "both", within: 45) { ends.count == 2 }
                #expect(ends == ["disconnect nil", "connect nil"])
                for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
                let value = try await fixture.characteristic(Probe.echo, of: peripheral).readValue()
                #expect(value == Data([1, 2, 3]))
            }
        }

        @Test(
            "Row 21: Disconnecting while connecting ends the attempt with cancelled",
            .enabled("needs vanish") { try await Side.can("vanish", "return") }
        )
        func cancelled() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                _ = try await fixture.ask("vanish")
                let end = Once<BluetoothError?>()
                peripheral.connect { end($0) }
                try await fixture.wait(for: "the attempt") { peripheral.state == .connecting }
                try await peripheral.disconnect()
                #expect(try end.only()?.code == .cancelled)
                #expect(peripheral.state == .disconnected)
                _ = try await fixture.ask("return")
            }
        }

        @Test("Row 23: A link that was made elsewhere is adopted")
        func adopts() async throws {
            try await ContractFixture.run { fixture in
                _ = try await fixture.connectProbe()
                let other = CentralManager(bus: fixture.side.bus)
                let twin = try #require(other.retrievePeripheral(withIdentifier: Probe.address))
                #expect(twin.state == .connected)
                try await twin.connect()
                for service in try await twin.discoverServices() { try await service.discoverCharacteristics() }
                #expect(try await fixture.characteristic(Probe.echo, of: twin).readValue() == Data([1, 2, 3]))
            }
        }

        @Test("Row 34: Two managers that subscribe get each value once")
        func once() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let other = CentralManager(bus: fixture.side.bus)
                let twin = try #require(other.retrievePeripheral(withIdentifier: Probe.address))
                for service in try await twin.discoverServices() { try await service.discoverCharacteristics() }
                var values: [[Data?]] = [[], []]
                for (index, each) in [peripheral, twin].enumerated() {
                    let updates = try fixture.characteristic(Probe.updates, of: each)
                    updates.service?.updateHandler = { characteristic, _ in
                        values[index].append(characteristic.value)
                    }
                    try await updates.setNotifyValue(true)
                }
                _ = try await fixture.ask(
                    "notify", ["char": Probe.updates.fullString, "value": "", "count": 3, "number": true])
                try await fixture.wait(for: "the values", within: 20) { values.allSatisfy { $0.count >= 3 } }
                let expected = (0..<3).map { Data([UInt8($0), 0, 0, 0]) }
                #expect(values == [expected, expected])
            }
        }
    }
}
