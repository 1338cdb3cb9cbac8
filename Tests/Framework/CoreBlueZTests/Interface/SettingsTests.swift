import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What is set of devices and of the adapter, and values that are kept.
@Suite(.virtualTime) struct SettingsTests {
    @Test("Trust, a block and a name of the user's own are set and taken back")
    @BluetoothActor func device() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        try await peripheral.setTrusted(true)
        try await eventually("the trust") { peripheral.isTrusted }
        try await peripheral.setAlias("Kitchen")
        try await eventually("the alias") { peripheral.alias == "Kitchen" }
        #expect(peripheral.name == "Watch")
        try await peripheral.setAlias("")
        try await eventually("its own name") { peripheral.alias == "Watch" }
        try await peripheral.setBlocked(true)
        try await eventually("the block") { peripheral.isBlocked }
        try await peripheral.setBlocked(false)
        try await eventually("the end of the block") { !peripheral.isBlocked }
        await fixture.simulator.refuse("Set", of: BlueZ.properties, SimulatorFixture.bluezError + "Failed", "No")
        let error = await fixture.failure { try await peripheral.setTrusted(false) }
        #expect(error?.code == .failed)
    }

    @Test("The adapter is switched off and on, and made pairable, by a program")
    @BluetoothActor func adapter() async throws {
        let fixture = try await PeripheralFixture()
        let central = fixture.central
        try await central.setPowered(false)
        try await eventually("the loss of power") { central.state == .poweredOff }
        var errors: [BluetoothError?] = []
        central.setPowered(true) { errors.append($0) }
        try await eventually("the power") { central.state == .poweredOn && errors == [nil] }
        for isPairable in [false, true] {
            try await central.setPairable(isPairable)
            try await eventually("pairable \(isPairable)") { central.adapter?.isPairable == isPairable }
        }
    }

    @Test("Without an adapter nothing can be set")
    @BluetoothActor func none() async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus, adapter: "hci7")
        _ = try? await central.waitUntilPoweredOn(timeout: .milliseconds(1))
        let error = await #expect(throws: BluetoothError.self) { try await central.setPowered(true) }
        #expect(error?.code == .adapterGone)
    }

    @Test("A closure gets the values of its characteristic until it is dropped, beside the service's")
    @BluetoothActor func values() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let updates = try fixture.updates(of: peripheral)
        var values: [Data?] = []
        var errors: [BluetoothError?] = []
        var others = 0
        updates.service?.updateHandler = { _, error in if error == nil { others += 1 } }
        try await updates.startNotifying { value, error in
            values.append(value)
            errors.append(error)
        }
        await fixture.simulator.notify([1])
        try await eventually("the value") { values == [Data([1])] && others == 1 }
        await fixture.simulator.disconnect()
        try await eventually("the end") { values.count == 2 }
        #expect(errors.map { $0?.code } == [nil, .disconnected])
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        try await updates.setNotifyValue(true)
        try await updates.setNotifyValue(false)
        #expect(updates.valueHandler == nil)
    }

    @Test("A closure that could not be subscribed leaves the earlier one in its place")
    @BluetoothActor func refused() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        var errors: [BluetoothError?] = []
        value.startNotifying { _, _ in
            Issue.record("It cannot notify")
        } completion: {
            errors.append($0)
        }
        try await eventually("the refusal") { errors.count == 1 }
        #expect(errors.first??.code == .notSupported)
        #expect(value.valueHandler == nil)
    }

    @Test("Objects are equal by identity, and a device keeps its identifier")
    @BluetoothActor func identity() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        fixture.central.removePeripheral(peripheral)
        let other = try await fixture.find()
        #expect(peripheral != other)
        #expect(Set([peripheral, other, other]).count == 2)
        #expect(peripheral.id == other.id)
    }

    @Test("What a program keeps of a device comes back from JSON as it was")
    func codable() throws {
        var data = AdvertisementData()
        data.localName = "Heart"
        data.serviceUUIDs = [0x180D, "F000AA00-0451-4000-B000-000000000000"]
        data.manufacturerData = [0x000D: Data([1, 2])]
        data.serviceData = [0x180F: Data([100])]
        data.txPowerLevel = -4
        let copy = try JSONDecoder().decode(AdvertisementData.self, from: JSONEncoder().encode(data))
        #expect(copy == data)
        let address = try #require(BluetoothAddress("C0:FF:EE:00:00:01"))
        #expect(try JSONDecoder().decode([BluetoothAddress].self, from: JSONEncoder().encode([address])) == [address])
        let nonsense = Data("[\"x\"]".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([BluetoothUUID].self, from: nonsense) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([BluetoothAddress].self, from: nonsense) }
    }
}
