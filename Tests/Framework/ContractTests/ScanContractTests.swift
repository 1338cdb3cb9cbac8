import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    @Suite(.virtualTime) struct Scanning {
        @Test("A scan finds the probe with its name, service, manufacturer data and signal strength")
        func finds() async throws {
            try await ContractFixture.run { fixture in
                var found: (advertisement: AdvertisementData, rssi: Int?)?
                let end = Once<BluetoothError?>()
                fixture.central.scanForPeripherals { peripheral, advertisement, rssi in
                    guard peripheral.address == Probe.address, advertisement.serviceUUIDs.contains(Probe.service) else {
                        return
                    }
                    found = (advertisement, rssi)
                    fixture.central.stopScan()
                } completion: {
                    end($0)
                }
                try await fixture.wait(for: "the probe", within: 20) { end.isCalled }
                #expect(try end.only() == nil)
                let advertisement = try #require(found?.advertisement)
                #expect(advertisement.localName == "CoreBlueZ Probe")
                #expect(advertisement.manufacturerData[0xFFFF] == Data([1, 2, 3]))
                #expect(try #require(found?.rssi) < 21)
                #expect(!fixture.central.isScanning)
            }
        }

        @Test("Row 18: A passive scan finds the probe by its advertisement's bytes, or says that it cannot be done")
        func passive() async throws {
            try await ContractFixture.run { fixture in
                let patterns = [AdvertisementPattern.manufacturer(0xFFFF)]
                var found: [BluetoothAddress?] = []
                let end = Once<BluetoothError?>()
                fixture.central.scanForPeripherals(options: ScanOptions(passivePatterns: patterns)) {
                    peripheral, advertisement, rssi in
                    #expect(advertisement.manufacturerData[0xFFFF] == Data([1, 2, 3]))
                    #expect(rssi != nil)
                    found.append(peripheral.address)
                } completion: {
                    end($0)
                }
                guard fixture.central.adapter?.canScanPassively == true else {
                    try await fixture.wait(for: "the end", within: 20) { end.isCalled }
                    #expect(try end.only()?.code == .notSupported)
                    return
                }
                try await fixture.wait(for: "the probe", within: 20) { !found.isEmpty || end.isCalled }
                fixture.central.stopScan()
                #expect(try end.only() == nil)
                #expect(Set(found) == [Probe.address])
            }
        }

        @Test("Row 12: A scan for services reports nobody who does not advertise them")
        func filters() async throws {
            try await ContractFixture.run { fixture in
                let witness = CentralManager(bus: fixture.side.bus)
                try await witness.waitUntilPoweredOn(timeout: fixture.seconds(10))
                var found: [BluetoothAddress?] = []
                var heard: [BluetoothAddress?] = []
                let ends = (Once<BluetoothError?>(), Once<BluetoothError?>())
                fixture.central.scanForPeripherals(withServices: [Probe.service]) { peripheral, _, _ in
                    found.append(peripheral.address)
                } completion: {
                    ends.0($0)
                }
                witness.scanForPeripherals { peripheral, _, _ in
                    heard.append(peripheral.address)
                } completion: {
                    ends.1($0)
                }
                // The other scan hears the tag, which advertises another service or none.
                try await fixture.wait(for: "the probe and another", within: 30) {
                    !found.isEmpty && heard.contains(Probe.address) && heard.contains { $0 != Probe.address }
                }
                fixture.central.stopScan()
                witness.stopScan()
                #expect(Set(found) == [Probe.address])
                #expect(try ends.0.only() == nil && ends.1.only() == nil)
            }
        }

        @Test("A scan that is over in time ends without an error, and only once")
        func duration() async throws {
            try await ContractFixture.run { fixture in
                let end = Once<BluetoothError?>()
                fixture.central.scanForPeripherals(
                    withServices: [0x1234], options: ScanOptions(duration: .milliseconds(100))
                ) { peripheral, _, _ in
                    Issue.record("\(peripheral.displayName) does not advertise this service")
                } completion: {
                    end($0)
                }
                try await fixture.wait(for: "the end of the scan") { end.isCalled }
                fixture.central.stopScan()
                #expect(try end.only() == nil)
            }
        }

        @Test("Row 9: Two scans at a time both find, and end by themselves")
        func two() async throws {
            try await ContractFixture.run { fixture in
                let other = CentralManager(bus: fixture.side.bus)
                try await other.waitUntilPoweredOn(timeout: fixture.seconds(10))
                async let first = fixture.central.firstPeripheral(
                    withServices: [Probe.service], timeout: fixture.seconds(20)
                )
                async let second = other.firstPeripheral(withServices: [Probe.service], timeout: fixture.seconds(20))
                let (one, two) = try await (first, second)
                #expect(one.address == two.address)
                #expect(one !== two)
            }
        }
    }
}

/// The one set of tests for the simulator and for bluetoothd; one test at a time, for the air is shared.
@Suite(.serialized) struct Contract {}
