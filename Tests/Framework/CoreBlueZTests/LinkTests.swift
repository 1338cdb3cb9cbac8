import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What waits for a link gets its events while it waits, and no longer.
@Suite(.virtualTime) struct LinkTests {
    @Test("A link that bluetoothd was asked to end counts as ending until it is gone, and the next one does not")
    @BluetoothActor func marks() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        #expect(peripheral.properties?.isLinkEnding == false)
        fixture.central.client.mirror.setLinkEnding(true, of: peripheral.path)
        #expect(peripheral.properties?.isLinkEnding == true)
        try await fixture.simulator.deviceChanged(["Connected": .boolean(false)])
        try await eventually("the end of the link") { !peripheral.isConnected }
        #expect(peripheral.properties?.isLinkEnding == false)
        try await fixture.simulator.deviceChanged(["Connected": .boolean(true)])
        try await eventually("the next link") { peripheral.isConnected }
        #expect(peripheral.properties?.isLinkEnding == false)
    }

    @Test("A disconnection that is answered before the link is down waits for its end, whatever else happens meanwhile")
    @BluetoothActor func rearmed() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        await fixture.simulator.keepCalls()
        await fixture.simulator.succeedWithoutEffect("Disconnect", of: BlueZ.device)
        var ends: [BluetoothError?] = []
        peripheral.disconnect { ends.append($0) }
        try await eventually("the call") { await fixture.simulator.calls("Disconnect").count == 1 }
        try await fixture.central.barrier()
        #expect(ends.isEmpty)
        try await fixture.simulator.deviceChanged(["ServicesResolved": .boolean(false)])
        try await fixture.simulator.deviceChanged(["ServicesResolved": .boolean(true)])
        try await fixture.central.barrier()
        #expect(ends.isEmpty)
        try await fixture.simulator.deviceChanged(["Connected": .boolean(false)])
        try await eventually("the end") { ends.count == 1 }
        #expect(ends == [nil])
    }

    @Test("Nothing that has ended still watches the link")
    @BluetoothActor func observers() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        for _ in 0..<5 {
            try await peripheral.connect()
            try await peripheral.discoverServices()
            try await peripheral.disconnect()
        }
        #expect(peripheral.link.observers.isEmpty)
    }

    @Test("Bringing a link back calls no closure of the program's, stores no stranger, and outlasts stopScan")
    @BluetoothActor func hiddenScan() async throws {
        let fixture = try await PeripheralFixture()
        let directory = "/tmp/corebluez-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await fixture.simulator.perform { try $0.add("Stranger", "BC:6A:29:00:00:02") }
        let central = fixture.central
        let peripheral = try await central.firstPeripheral(timeout: .seconds(20)) { found, _ in
            found.name == "Watch"
        }
        try await peripheral.connect()
        central.removeAllPeripherals(but: peripheral)
        central.storedPeripherals = try StoredPeripherals(directory: directory)
        var returns = 0
        peripheral.reconnectPolicy = ReconnectPolicy(firstDelay: .milliseconds(1))
        peripheral.reconnectHandler = { _, _ in returns += 1 }
        await fixture.simulator.vanish()
        await fixture.simulator.remove()
        try await eventually("the search") { central.scans.values.contains { $0.target != nil } }
        #expect(!central.isScanning)
        central.stopScan()
        try await eventually("the stranger") {
            central.client.mirror.devices.values.contains { $0.name == "Stranger" }
        }
        await fixture.simulator.peripheral.simulateReturn()
        try await eventually("the link") { returns == 1 }
        #expect(peripheral.isConnected)
        #expect(central.peripherals.map(\.name) == ["Watch"])
        #expect(central.storedPeripherals?.identifiers == [])
    }

    @Test("The MTU of each link is known once its services are discovered")
    @BluetoothActor func mtu() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let value = try fixture.value(of: peripheral)
        let first = try #require(value.mtu)
        try await peripheral.disconnect()
        #expect(value.mtu == nil)
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        #expect(value.mtu == first)
        #expect(value.maximumWriteValueLength(for: .withoutResponse) == min(first - 3, 512))
    }

    @Test("A handler that discovers again after a change is called once for it")
    @BluetoothActor func changedOnce() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        var calls = 0
        var found = 0
        peripheral.servicesChangedHandler = { peripheral in
            calls += 1
            peripheral.discoverServices { services, error in
                #expect(error == nil)
                found += services?.count ?? 0
            }
        }
        try await fixture.simulator.deviceChanged(["ServicesResolved": .boolean(false)])
        try await fixture.simulator.perform { simulator in
            try simulator.deviceChanged(["ServicesResolved": .boolean(true)])
            // bluetoothd announces the objects after the property.
            for number in 0..<5 {
                _ = simulator.peripheral.addService(
                    ServiceSpecification(
                        BluetoothUUID(UInt16(0xFFA0 + number)),
                        characteristics: [CharacteristicSpecification(0xFFB0, [.read], value: [1])]))
            }
        }
        try await eventually("the discovery") { found > 0 }
        for _ in 0..<3 { try await fixture.central.barrier() }
        #expect(calls == 1)
        #expect(peripheral.services.filter(\.isDiscovered).count >= 6)
    }
}

extension CentralManager {
    func removeAllPeripherals(but kept: Peripheral) {
        for peripheral in peripherals where peripheral !== kept { removePeripheral(peripheral) }
    }
}
