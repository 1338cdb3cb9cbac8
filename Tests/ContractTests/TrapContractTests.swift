import CoreBlueZ
import Foundation
import Testing

extension Contract {
    /// Rows of Tests/BlueZTraps.md that a real bluetoothd brings about, beside those that other tests name.
    @Suite struct Traps {
        @Test(
            "Row 1: Without bluetoothd the state is unsupported, and its start is noticed",
            .enabled("needs kill-daemon") { try await Side.can("kill-daemon") }
        )
        func absent() async throws {
            try await Stage.run { stage in
                let harness = try #require(stage.side.harness)
                try await harness.killDaemon()
                let central = CentralManager(bus: stage.side.bus)
                try await stage.wait(for: "the loss", within: 20) { stage.central.state == .resetting }
                #expect(central.state != .poweredOn)
                try await harness.startDaemon()
                try await central.waitUntilPoweredOn(timeout: stage.seconds(30))
                try await stage.central.waitUntilPoweredOn(timeout: stage.seconds(30))
            }
        }

        @Test("Row 10: Scans that stop and start at once all find")
        func stopsAndStarts() async throws {
            try await Stage.run { stage in
                for _ in 0..<4 { _ = try await stage.findProbe() }
            }
        }

        @Test("Row 11: A peripheral that advertises as limited discoverable is found")
        func findsTag() async throws {
            try await Stage.run { stage in
                let tag = try await stage.central.firstPeripheral(timeout: stage.seconds(20)) { peripheral, _ in
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
            try await Stage.run { stage in
                let peripheral = try await stage.connectProbe()
                try await peripheral.disconnect()
                _ = try await stage.ask("vanish")
                await #expect(throws: BluetoothError.self) {
                    try await stage.central.firstPeripheral(timeout: stage.seconds(1)) { peripheral, _ in
                        peripheral.address == Probe.address
                    }
                }
                #expect(stage.central.retrievePeripheral(withIdentifier: Probe.address) === peripheral)
                _ = try await stage.ask("return")
            }
        }

        @Test("Row 14: The signal strength is gone when the scan is, and that is no advertisement")
        func strength() async throws {
            try await Stage.run { stage in
                let peripheral = try await stage.findProbe()
                try await stage.wait(for: "the strength to go", within: 20) { peripheral.rssi == nil }
                #expect(!stage.central.isScanning)
            }
        }

        @Test("Row 15: With duplicates the same advertisement is reported again and again")
        func duplicates() async throws {
            try await Stage.run { stage in
                var count = 0
                stage.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { peripheral, _, _ in
                    if peripheral.address == Probe.address { count += 1 }
                } completion: { _ in
                }
                try await stage.wait(for: "three reports", within: 30) { count >= 3 }
                stage.central.stopScan()
            }
        }

        @Test("Row 16: Connecting what BlueZ has dropped says peripheralGone, and works once it is found again")
        func dropped() async throws {
            try await Stage.run { stage in
                let peripheral = try await stage.findProbe()
                // Another advertisement, while bluetoothd still ends the scan, would list it again.
                _ = try await stage.ask("advertise", ["on": false])
                try await stage.central.forgetPeripheral(peripheral)
                let error = await #expect(throws: BluetoothError.self) { try await peripheral.connect() }
                #expect(error?.code == .peripheralGone)
                _ = try await stage.ask("advertise", ["on": true])
                #expect(try await stage.findProbe() === peripheral)
                try await peripheral.connect()
            }
        }

        @Test("Row 5: A read under way when BlueZ drops the peripheral ends, though BlueZ never answers it")
        func neverAnswered() async throws {
            try await Stage.run { stage in
                let peripheral = try await stage.connectProbe()
                let echo = try stage.characteristic(Probe.echo, of: peripheral)
                _ = try await stage.ask("delay", ["char": Probe.echo.fullString, "ms": 25_000])
                let read = Once<BluetoothError?>()
                echo.readValue { read($1) }
                try await stage.wait(for: "the read to reach the peer") {
                    try await stage.log().contains { $0.operation == "read" }
                }
                try await stage.central.forgetPeripheral(peripheral)
                try await stage.wait(for: "the end of the read") { read.isCalled }
                #expect([.disconnected, .peripheralGone, .attributeGone].contains(try read.only()?.code))
            }
        }

        @Test("Row 17: A scan goes on after a connection was made during it")
        func scansOn() async throws {
            try await Stage.run { stage in
                var found: Peripheral?
                var others = 0
                let end = Once<BluetoothError?>()
                stage.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { peripheral, _, _ in
                    if peripheral.address == Probe.address { found = peripheral } else { others += 1 }
                } completion: {
                    end($0)
                }
                try await stage.wait(for: "the probe", within: 30) { found != nil }
                try await found?.connect()
                let before = others
                try await stage.wait(for: "the tag's next reports", within: 30) { others > before }
                #expect(!end.isCalled)
                stage.central.stopScan()
                #expect(try end.only() == nil)
            }
        }

        @Test("Row 20: A connect while disconnecting gets a link of its own")
        func reconnects() async throws {
            try await Stage.run { stage in
                let peripheral = try await stage.connectProbe()
                var ends: [String] = []
                peripheral.disconnect { ends.append("disconnect \($0?.code.rawValue ?? "nil")") }
                peripheral.connect { ends.append("connect \($0?.code.rawValue ?? "nil")") }
                try await stage.wait(for: "both", within: 45) { ends.count == 2 }
                #expect(ends == ["disconnect nil", "connect nil"])
                for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
                let value = try await stage.characteristic(Probe.echo, of: peripheral).readValue()
                #expect(value == Data([1, 2, 3]))
            }
        }

        @Test(
            "Row 21: Disconnecting while connecting ends the attempt with cancelled",
            .enabled("needs vanish") { try await Side.can("vanish", "return") }
        )
        func cancelled() async throws {
            try await Stage.run { stage in
                let peripheral = try await stage.findProbe()
                _ = try await stage.ask("vanish")
                let end = Once<BluetoothError?>()
                peripheral.connect { end($0) }
                try await stage.wait(for: "the attempt") { peripheral.state == .connecting }
                try await peripheral.disconnect()
                #expect(try end.only()?.code == .cancelled)
                #expect(peripheral.state == .disconnected)
                _ = try await stage.ask("return")
            }
        }

        @Test("Row 23: A link that was made elsewhere is adopted")
        func adopts() async throws {
            try await Stage.run { stage in
                _ = try await stage.connectProbe()
                let other = CentralManager(bus: stage.side.bus)
                let twin = try #require(other.retrievePeripheral(withIdentifier: Probe.address))
                #expect(twin.state == .connected)
                try await twin.connect()
                for service in try await twin.discoverServices() { try await service.discoverCharacteristics() }
                #expect(try await stage.characteristic(Probe.echo, of: twin).readValue() == Data([1, 2, 3]))
            }
        }

        @Test("Row 34: Two managers that subscribe get each value once")
        func once() async throws {
            try await Stage.run { stage in
                let peripheral = try await stage.connectProbe()
                let other = CentralManager(bus: stage.side.bus)
                let twin = try #require(other.retrievePeripheral(withIdentifier: Probe.address))
                for service in try await twin.discoverServices() { try await service.discoverCharacteristics() }
                var values: [[Data?]] = [[], []]
                for (index, each) in [peripheral, twin].enumerated() {
                    let updates = try stage.characteristic(Probe.updates, of: each)
                    updates.service?.updateHandler = { characteristic, _ in
                        values[index].append(characteristic.value)
                    }
                    try await updates.setNotifyValue(true)
                }
                _ = try await stage.ask(
                    "notify", ["char": Probe.updates.fullString, "value": "", "count": 3, "number": true])
                try await stage.wait(for: "the values", within: 20) { values.allSatisfy { $0.count >= 3 } }
                let expected = (0..<3).map { Data([UInt8($0), 0, 0, 0]) }
                #expect(values == [expected, expected])
            }
        }
    }
}
