import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// The manager's list of peripherals: its order, what it reports of changes, and how objects are found in it.
@Suite(.virtualTime) struct RegistryTests {
    @Test("The list has the order in which peripherals came, whatever their addresses are")
    @BluetoothActor func order() async throws {
        let fixture = try await PeripheralFixture()
        let central = fixture.central
        let first = try await fixture.find()
        let second = try await fixture.findAnother()
        #expect(second.path < first.path)
        #expect(central.peripherals.map(\.name) == ["Watch", "Another"])
        #expect(central.peripheralCount == 2)
        #expect(central.peripheral(at: 0) === first && central.peripheral(at: 1) === second)
        #expect(central.peripheral(at: 2) == nil && central.peripheral(at: -1) == nil)
        #expect(central.index(of: first) == 0 && central.index(of: second) == 1)
        central.removePeripheral(at: 0)
        #expect(central.index(of: first) == nil && central.index(of: second) == 0)
        let again = try #require(central.retrievePeripherals(withIdentifiers: [SimulatorFixture.address]).first)
        #expect(central.index(of: again) == 1)
    }

    @Test("An index is found in a long list, also after some have gone")
    @BluetoothActor func indices() async throws {
        let fixture = try await PeripheralFixture()
        let central = fixture.central
        for number in 0..<40 { try await fixture.simulator.appear(number) }
        try await eventually("the devices") { central.retrieveKnownPeripherals().count >= 40 }
        for index in [39, 20, 7, 0] {
            let removed = try #require(central.peripheral(at: index))
            central.removePeripheral(at: index)
            #expect(central.index(of: removed) == nil)
        }
        #expect(central.peripheralCount >= 36)
        for (index, peripheral) in central.peripherals.enumerated() {
            #expect(central.index(of: peripheral) == index)
        }
    }

    @Test("A list of found devices has what other programs have found, until bluetoothd forgets it")
    @BluetoothActor func foundByOthers() async throws {
        let fixture = try await PeripheralFixture()
        let other = CentralManager(bus: fixture.simulator.bus)
        try await other.waitUntilPoweredOn(timeout: .ample)
        fixture.central.listsFoundDevices = true
        for number in 0..<3 { try await fixture.simulator.appear(number) }
        try await eventually("the devices") { fixture.central.peripheralCount == 3 }
        #expect(other.peripherals.isEmpty)
        try await fixture.simulator.disappear(1)
        try await eventually("the removal") { fixture.central.peripheralCount == 2 }
        #expect(fixture.central.peripherals == fixture.central.retrieveKnownPeripherals())
    }

    @Test("A copy of the list that follows the reported changes stays equal to it")
    @BluetoothActor func changes() async throws {
        let fixture = try await PeripheralFixture()
        let central = fixture.central
        var copy: [Peripheral] = []
        var log: [String] = []
        central.registryHandler = { central, change in
            switch change {
            case .added(let peripheral, at: let index):
                copy.insert(peripheral, at: index)
                log.append("+\(index)")
            case .removed(let peripheral, at: let index):
                #expect(copy.remove(at: index) === peripheral)
                log.append("-\(index)")
            }
            #expect(copy == central.peripherals)
        }
        let first = try await fixture.find()
        let second = try await fixture.findAnother()
        central.removePeripheral(at: 1)
        central.removePeripheral(at: 1)
        central.removePeripheral(second)
        #expect(central.retrieveKnownPeripherals().count == 2)
        try await fixture.simulator.removeAfterScan()
        try await eventually("the removal") { !central.peripherals.contains(first) }
        _ = try await fixture.find()
        central.removeAllPeripherals()
        #expect(log == ["+0", "+1", "-1", "+1", "-0", "+1", "-0", "-0"])
        #expect(central.peripherals.isEmpty)
    }

    @Test("A completion that takes another peripheral out during a removal is reported with the right index")
    @BluetoothActor func nested() async throws {
        let fixture = try await PeripheralFixture()
        let central = fixture.central
        let first = try await fixture.connect()
        let second = try await fixture.findAnother()
        var copy = central.peripherals
        central.registryHandler = { _, change in
            guard case .removed(let peripheral, at: let index) = change else { return }
            #expect(copy.remove(at: index) === peripheral)
        }
        await fixture.simulator.delay(.seconds(60))
        try fixture.value(of: first).readValue { _, _ in central.removePeripheral(second) }
        try await eventually("the request") { await fixture.simulator.hasBeenRead }
        central.removePeripheral(first)
        #expect(copy.isEmpty && central.peripherals.isEmpty)
    }

    @Test("A peripheral is found by its identifier and by its name, among those that have objects")
    @BluetoothActor func lookup() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        #expect(fixture.central.peripheral(withIdentifier: SimulatorFixture.address) === peripheral)
        #expect(fixture.central.peripheral(named: "Watch") === peripheral)
        #expect(fixture.central.peripheral(named: "Nobody") == nil)
        #expect(peripheral.central === fixture.central)
        fixture.central.removePeripheral(peripheral)
        #expect(fixture.central.peripheral(withIdentifier: SimulatorFixture.address) == nil)
    }

    @Test(
        "A peripheral that is taken out ends its operations, knows no manager, and is another object when it returns",
        arguments: [false, true])
    @BluetoothActor func removal(ofAll: Bool) async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let value = try fixture.value(of: peripheral)
        await fixture.simulator.delay(.seconds(60))
        var ends: [BluetoothError.Code?] = []
        value.readValue { ends.append($1?.code) }
        try await eventually("the request") { await fixture.simulator.hasBeenRead }
        if ofAll { fixture.central.removeAllPeripherals() } else { fixture.central.removePeripheral(peripheral) }
        #expect(ends == [.cancelled])
        #expect(peripheral.central == nil)
        #expect(await fixture.failure { try await peripheral.connect() }?.code == .cancelled)
        let again = try #require(fixture.central.retrievePeripheral(withIdentifier: SimulatorFixture.address))
        #expect(again !== peripheral)
        #expect(again.isConnected)
    }

    @Test("Retrieving returns what bluetoothd knows, in the order that was asked for, and adds it to the list")
    @BluetoothActor func retrieving() async throws {
        let fixture = try await PeripheralFixture()
        let first = try await fixture.find()
        let second = try await fixture.findAnother()
        let stranger = try #require(BluetoothAddress("00:00:00:00:00:77"))
        let identifiers = [try #require(second.address), stranger, SimulatorFixture.address]
        #expect(fixture.central.retrievePeripherals(withIdentifiers: identifiers) == [second, first])
        let other = CentralManager(bus: fixture.simulator.bus)
        try await other.waitUntilPoweredOn(timeout: .ample)
        #expect(other.peripherals.isEmpty)
        let retrieved = other.retrievePeripherals(withIdentifiers: [SimulatorFixture.address])
        #expect(retrieved == other.peripherals && retrieved.count == 1)
    }

    @Test("Connected peripherals are retrieved by their services, whoever connected them")
    @BluetoothActor func connected() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        _ = try await fixture.findAnother()
        let other = CentralManager(bus: fixture.simulator.bus)
        try await other.waitUntilPoweredOn(timeout: .ample)
        let service = SimulatorFixture.service
        #expect(other.retrieveConnectedPeripherals(withServices: [0x1234]).isEmpty)
        #expect(other.retrieveConnectedPeripherals(withServices: [0x1234, service]).map(\.id) == [peripheral.id])
        #expect(other.retrieveConnectedPeripherals().map(\.id) == [peripheral.id])
        #expect(other.peripheralCount == 1)
    }
}

extension SimulatorFixture {
    nonisolated static let address = BluetoothAddress("BC:6A:29:00:00:01")!
}

extension PeripheralFixture {
    /// A device that comes later than the first one, and whose path is before it.
    func findAnother() async throws -> Peripheral {
        try await simulator.add("Another", "0C:6A:29:00:00:03")
        return try await central.firstPeripheral(timeout: .ample) { peripheral, _ in
            peripheral.name == "Another"
        }
    }
}
