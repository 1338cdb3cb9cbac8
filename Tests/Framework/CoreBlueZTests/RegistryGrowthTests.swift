import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What the framework keeps is what bluetoothd knows, and what somebody holds.
@Suite(.virtualTime) struct RegistryGrowthTests {
    @Test("Objects of devices that bluetoothd has forgotten go, but for those that somebody has")
    @BluetoothActor func growth() async throws {
        let fixture = try await PeripheralFixture()
        let central = fixture.central
        var added = 0
        var removed = 0
        central.registryHandler = { _, change in
            switch change {
            case .added: added += 1
            case .removed: removed += 1
            }
        }
        var found = 0
        var kept: Peripheral?
        central.scanForPeripherals { peripheral, _, _ in
            found += 1
            if kept == nil, peripheral.name == nil { kept = peripheral }
        } completion: { _ in
        }
        let count = 300
        try await eventually("the scan") { central.scans.values.contains { $0.discovery != nil } }
        for number in 0..<count {
            try await fixture.simulator.appear(number)
            try await fixture.simulator.disappear(number)
        }
        try await eventually("all devices") { found >= count && removed >= count - 1 }
        try await fixture.central.barrier()
        #expect(central.peripherals.count <= 1)
        #expect(central.formerPeripherals.count <= 1)
        #expect(central.scans.values.allSatisfy { $0.reported.count <= 1 })
        #expect(added == found && added >= count)
        let first = try #require(kept)
        #expect(await fixture.failure { try await first.connect() }?.code == .peripheralGone)
    }

    @Test("A device that comes back gets the object that somebody has kept, with its handlers")
    @BluetoothActor func identity() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        try await fixture.simulator.removeAfterScan()
        try await eventually("the removal") { fixture.central.peripherals.isEmpty }
        #expect(peripheral.address == BluetoothAddress("BC:6A:29:00:00:01"))
        #expect(try await fixture.find() === peripheral)
        #expect(fixture.central.peripherals.map(ObjectIdentifier.init) == [ObjectIdentifier(peripheral)])
        try await peripheral.connect()
        #expect(peripheral.state == .connected)
    }

    final class Choosy: CentralManager {
        var made: [String?] = []

        override func makePeripheral(_ device: DiscoveredDevice) -> Peripheral {
            made.append(device.name)
            return super.makePeripheral(device)
        }
    }

    @Test("No object is made for a stranger")
    @BluetoothActor func strangers() async throws {
        let simulator = try await SimulatorFixture()
        let central = Choosy(bus: simulator.bus, knownPeripheralNames: ["Watch"])
        try await central.waitUntilPoweredOn(timeout: .seconds(20))
        try await simulator.perform { try $0.add("Stranger", "BC:6A:29:00:00:02") }
        let peripheral = try await central.firstPeripheral(timeout: .seconds(20))
        try await eventually("the stranger") { central.client.mirror.devices.count == 2 }
        #expect(peripheral.name == "Watch")
        #expect(central.made == ["Watch"])
    }

    @Test("A device that was silent is reported neither by a list of objects nor with an old signal strength")
    @BluetoothActor func silent() async throws {
        let fixture = try await PeripheralFixture()
        _ = try await fixture.find()
        await fixture.simulator.vanish()
        try await eventually("silence") { fixture.central.peripherals.first?.rssi == nil }
        var found = 0
        fixture.central.scanForPeripherals { _, _, _ in
            found += 1
        } completion: { _ in
        }
        try await eventually("the scan") { fixture.central.scans.values.contains { $0.discovery != nil } }
        _ = await withCheckedContinuation { continuation in
            fixture.central.client.refresh { continuation.resume(returning: $0) }
        }
        try await fixture.central.barrier()
        #expect(found == 0)
    }
}

extension SimulatorFixture {
    private static func path(_ number: Int) -> String {
        let digits = String(0x100000 + number, radix: 16, uppercase: true)
        let pairs = stride(from: 0, to: 6, by: 2).map { index in
            digits[digits.index(digits.startIndex, offsetBy: index)...].prefix(2)
        }
        return "/org/bluez/hci0/dev_40_00_00_\(pairs.joined(separator: "_"))"
    }

    /// A device of an address that nobody saw before, as bluetoothd announces it.
    func appear(_ number: Int) throws {
        let path = Self.path(number)
        let address = path.suffix(17).replacingOccurrences(of: "_", with: ":")
        try added(
            path,
            [
                "org.bluez.Device1": [
                    "Address": .string(address), "AddressType": .string("random"), "Alias": .string(address),
                    "RSSI": .int16(-60), "Connected": .boolean(false),
                ]
            ])
    }

    func disappear(_ number: Int) throws {
        try removed(Self.path(number), ["org.freedesktop.DBus.Properties", "org.bluez.Device1"])
    }
}
