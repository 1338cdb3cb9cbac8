import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps.Scanning {
    private static let remembered = "/org/bluez/hci0/dev_00_11_22_33_44_55"

    /// A device of bluetoothd's memory: no RSSI, and an alias made of its address.
    private func remember(_ fixture: PeripheralFixture) async throws {
        try await fixture.simulator.added(
            Self.remembered,
            [
                "org.bluez.Device1": [
                    "Address": .string("00:11:22:33:44:55"), "Alias": .string("00-11-22-33-44-55"),
                    "UUIDs": .strings(["0000180f-0000-1000-8000-00805f9b34fb"]), "Connected": .boolean(false),
                ]
            ])
    }

    @Test("Row 13: A device that is only remembered is not found by a scan, but retrieved")
    @BluetoothActor func cached() async throws {
        let fixture = try await PeripheralFixture()
        try await remember(fixture)
        var found: [String] = []
        fixture.central.scanForPeripherals { peripheral, _, _ in
            found.append(peripheral.path.string)
        } completion: { _ in
        }
        try await eventually("the peripheral that is there") { found.contains(SimulatorFixture.device) }
        #expect(!found.contains(Self.remembered))
        let known = fixture.central.retrieveKnownPeripherals().map(\.path.string)
        #expect(known == [Self.remembered, SimulatorFixture.device])
        try await fixture.simulator.propertiesChanged(Self.remembered, "org.bluez.Device1", ["RSSI": .int16(-70)])
        try await eventually("the one that advertises now") { found.contains(Self.remembered) }
    }

    @Test("Row 13: A device that bluetoothd remembers during a scan is not found by it")
    @BluetoothActor func cachedMeanwhile() async throws {
        let fixture = try await PeripheralFixture()
        var found: [String] = []
        let options = ScanOptions(allowDuplicates: true)
        fixture.central.scanForPeripherals(options: options) { peripheral, _, _ in
            found.append(peripheral.path.string)
        } completion: { _ in
        }
        try await eventually("the peripheral that is there") { !found.isEmpty }
        try await remember(fixture)
        // What changes of a memory is no advertisement either.
        try await fixture.simulator.propertiesChanged(
            Self.remembered, "org.bluez.Device1", ["Alias": .string("Kitchen"), "Trusted": .boolean(true)])
        let mirror = fixture.central.client.mirror
        try await eventually("the memory") {
            mirror.devices.contains { $0.key.string == Self.remembered && $0.value.alias == "Kitchen" }
        }
        let count = found.count
        try await eventually("more of the one that is there") { found.count > count + 3 }
        #expect(Set(found) == [SimulatorFixture.device])
    }

    @Test("Row 13: An alias that is only the address is none")
    @BluetoothActor func alias() async throws {
        let fixture = try await PeripheralFixture()
        try await remember(fixture)
        let address = try #require(BluetoothAddress("00:11:22:33:44:55"))
        try await eventually("the device") {
            fixture.central.retrievePeripheral(withIdentifier: address) != nil
        }
        let peripheral = try #require(fixture.central.retrievePeripheral(withIdentifier: address))
        #expect(peripheral.name == nil)
        #expect(peripheral.properties?.alias == nil)
        try await fixture.simulator.propertiesChanged(
            Self.remembered, "org.bluez.Device1", ["Alias": .string("Kitchen")])
        try await eventually("the alias") { peripheral.properties?.alias == "Kitchen" }
    }

    @Test("Row 14: A signal strength that is taken back is gone, and no advertisement")
    @BluetoothActor func invalidation() async throws {
        let fixture = try await PeripheralFixture()
        var strengths: [Int?] = []
        let options = ScanOptions(allowDuplicates: true)
        fixture.central.scanForPeripherals(options: options) {
            strengths.append($2)
        } completion: { _ in
        }
        try await eventually("advertisements") { strengths.count > 3 }
        await fixture.simulator.vanish()
        try await fixture.central.barrier()
        let count = strengths.count
        try await fixture.simulator.deviceChanged([:], invalidated: ["RSSI", "TxPower"])
        let peripheral = try #require(fixture.central.peripherals.first)
        try await eventually("the invalidation") { peripheral.rssi == nil }
        #expect(strengths.count == count)
        #expect(strengths.allSatisfy { $0 == -60 })
    }

    @Test("Row 14: Nothing is reported after the scan has ended")
    @BluetoothActor func afterStop() async throws {
        let fixture = try await PeripheralFixture()
        var count = 0
        let options = ScanOptions(allowDuplicates: true)
        fixture.central.scanForPeripherals(options: options) { _, _, _ in
            count += 1
        } completion: { _ in
        }
        try await eventually("advertisements") { count > 3 }
        fixture.central.stopScan()
        let last = count
        try await fixture.simulator.deviceChanged(["RSSI": .int16(-30)])
        try await fixture.central.barrier()
        #expect(count == last)
    }

    // The changed keys of the third column are what the scan compares itself: it reports a snapshot again when it
    // differs.
    @Test("Row 15: What comes later - name, services, data - is reported as one growing snapshot")
    @BluetoothActor func merged() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.vanish()
        var snapshots: [AdvertisementData] = []
        fixture.central.scanForPeripherals { _, snapshot, _ in
            snapshots.append(snapshot)
        } completion: { _ in
        }
        try await fixture.waitUntilScanning()
        try await fixture.simulator.added(
            SimulatorFixture.device,
            ["org.bluez.Device1": ["Address": .string("BC:6A:29:00:00:01"), "RSSI": .int16(-60)]])
        try await fixture.simulator.deviceChanged(["Name": .string("Late")])
        try await fixture.simulator.deviceChanged(["UUIDs": .strings(["0000180f-0000-1000-8000-00805f9b34fb"])])
        for (company, byte) in [(UInt16(1), UInt8(1)), (2, 2)] {
            let data = (UInt16(1)...company).map {
                (Value.uint16($0), Value.variant(.bytes([UInt8($0 == company ? byte : 1)])))
            }
            try await fixture.simulator.deviceChanged([
                "ManufacturerData": .dictionary(key: "q", value: "v", Dictionary(uniqueKeysWithValues: data))
            ])
        }
        // The same again is nothing new.
        try await fixture.simulator.deviceChanged(["RSSI": .int16(-61)])
        try await fixture.central.barrier()
        #expect(snapshots.map(\.localName) == [nil, "Late", "Late", "Late", "Late"])
        #expect(snapshots.map(\.serviceUUIDs) == [[], [], [0x180F], [0x180F], [0x180F]])
        #expect(snapshots.map { $0.manufacturerData.keys.sorted() } == [[], [], [], [1], [1, 2]])
    }

    @Test("Row 15: Each manufacturer data replaces the last, whatever its keys; malformed data changes nothing")
    @BluetoothActor func replaced() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.vanish()
        var reports: [[UInt16: Data]] = []
        fixture.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { _, snapshot, _ in
            reports.append(snapshot.manufacturerData)
        } completion: { _ in
        }
        try await fixture.waitUntilScanning()
        try await fixture.simulator.added(
            SimulatorFixture.device, ["org.bluez.Device1": ["Address": .string("BC:6A:29:00:00:01")]])
        let sent: [[UInt16: [UInt8]]] = [
            [1: [1]], [1: [2]], [2: [3]], [1: [4], 2: [5]], [2: [6]], [:], [3: []], [3: [7]], [4: [8], 5: [9]],
        ]
        for data in sent {
            let entries = data.map { (Value.uint16($0.key), Value.variant(.bytes($0.value))) }
            try await fixture.simulator.deviceChanged([
                "ManufacturerData": .dictionary(key: "q", value: "v", Dictionary(uniqueKeysWithValues: entries))
            ])
        }
        try await fixture.simulator.deviceChanged([
            "ManufacturerData": .dictionary(key: "q", value: "v", [.uint16(4): .variant(.string("no data"))])
        ])
        try await fixture.simulator.deviceChanged(["RSSI": .int16(-61)])
        try await fixture.central.barrier()
        #expect(reports == (sent + [[4: [8], 5: [9]]]).map { $0.mapValues { Data($0) } })
    }

    @Test("Row 15: Duplicates are requested of bluetoothd, which otherwise swallows what does not change")
    @BluetoothActor func duplicates() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.keepCalls()
        var count = 0
        fixture.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { _, _, _ in
            count += 1
        } completion: { _ in
        }
        try await eventually("the same again and again") { count > 5 }
        #expect(
            await fixture.simulator.calls("SetDiscoveryFilter").first?.arguments
                == [.properties(["Transport": .string("le"), "DuplicateData": .boolean(true)])])
    }

    @Test(
        "Row 16: A Connect to an object that is gone says peripheralGone",
        arguments: ["UnknownObject", "UnknownMethod"])
    @BluetoothActor func unknownObject(name: String) async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.refuse(
            "Connect", of: "org.bluez.Device1", "org.freedesktop.DBus.Error." + name,
            "Method \"Connect\" with signature \"\" on interface \"org.bluez.Device1\" doesn't exist\n")
        #expect(await fixture.failure { try await peripheral.connect() }?.code == .peripheralGone)
    }

    @Test("Row 17: A scan is paused while connecting, and started again after, with its filter")
    @BluetoothActor func paused() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.keepCalls()
        var ends = 0
        var found: Peripheral?
        fixture.central.scanForPeripherals { peripheral, _, _ in
            found = peripheral
        } completion: { _ in
            ends += 1
        }
        try await eventually("the peripheral") { found != nil }
        try await found?.connect()
        try await eventually("the scan to go on") {
            await fixture.simulator.calls("StartDiscovery").count == 2
        }
        let members = await fixture.simulator.members.filter { $0 != "Get" }
        #expect(
            members == [
                "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery", "Connect", "SetDiscoveryFilter",
                "StartDiscovery",
            ])
        #expect(ends == 0)
    }

    /// Two peripherals, of which the first does not answer.
    private func pair(_ fixture: PeripheralFixture) async throws -> (away: Peripheral, near: Peripheral) {
        try await fixture.simulator.perform { simulator in
            _ = try simulator.bluez.add(
                PeripheralSpecification(
                    name: "Other", address: "BC:6A:29:00:00:02",
                    advertisingInterval: .milliseconds(100)))
        }
        let away = try await fixture.central.firstPeripheral { peripheral, _ in peripheral.name == "Watch" }
        let near = try await fixture.central.firstPeripheral { peripheral, _ in peripheral.name == "Other" }
        await fixture.simulator.vanish()
        await fixture.simulator.keepCalls()
        return (away, near)
    }

    @Test("Row 17: Attempts of one adapter begin one after another")
    @BluetoothActor func turns() async throws {
        let fixture = try await PeripheralFixture()
        fixture.central.client.timeouts.connectSlot = .seconds(30)
        let (away, near) = try await pair(fixture)
        var ends: [String] = []
        away.connect { ends.append("away \($0?.code.rawValue ?? "nil")") }
        near.connect { ends.append("near \($0?.code.rawValue ?? "nil")") }
        try await eventually("the first attempt") { await fixture.simulator.calls("Connect").count == 1 }
        try await fixture.central.barrier()
        #expect(await fixture.simulator.calls("Connect").count == 1)
        #expect(near.state == .connecting)
        away.disconnect { _ in }
        try await eventually("the second attempt") { near.isConnected && ends.count == 2 }
        #expect(ends == ["away cancelled", "near nil"])
    }

    @Test("Row 17: An attempt that takes long does not block the next one")
    @BluetoothActor func longTurn() async throws {
        let fixture = try await PeripheralFixture()
        fixture.central.client.timeouts.connectSlot = .milliseconds(20)
        let (away, near) = try await pair(fixture)
        var ends: [String] = []
        away.connect { _ in ends.append("away") }
        near.connect { _ in ends.append("near") }
        try await eventually("the second attempt") { ends == ["near"] }
        await fixture.simulator.peripheral.simulateReturn()
        try await eventually("the first attempt") { ends == ["near", "away"] }
    }
}
