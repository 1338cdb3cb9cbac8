import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// Services and characteristics that a program declares: their UUIDs, their names, and what discovery makes of them.
@Suite(.virtualTime) struct DeclarationTests {
    private static let base: BluetoothUUID = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    private static let zero = BluetoothUUID(high: 0, low: 0)

    @Test("An offset takes the third and fourth byte of the base, in a service and in its characteristics")
    @BluetoothActor func offsets() {
        let service = Service(name: "main", base: "F0000000-0451-4000-B000-000000000000", offset: 0xAA00)
        #expect(service.uuid == "F000AA00-0451-4000-B000-000000000000")
        #expect(service.base == "F0000000-0451-4000-B000-000000000000")
        let characteristic = service.addCharacteristic("data", offset: 0xAA01)
        #expect(characteristic.uuid == "F000AA01-0451-4000-B000-000000000000")
        #expect(characteristic.uuid.short == nil)
        let other = Service(name: "other", base: service.uuid, offset: 0x0055)
        #expect(other.uuid == "F0000055-0451-4000-B000-000000000000")
        #expect(other.addCharacteristic("data", offset: 0x00AA).uuid == "F00000AA-0451-4000-B000-000000000000")
    }

    @Test("An offset that is added counts from the base as a number")
    @BluetoothActor func additions() {
        let service = Service(name: "main", base: Self.base, adding: 0x11)
        #expect(service.uuid == "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E80")
        #expect(service.addCharacteristic("data", adding: 0x12).uuid == "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E81")
    }

    @Test("A base of zero means UUIDs that the Bluetooth SIG assigned")
    @BluetoothActor func zeroBase() {
        let service = Service(name: "battery", base: Self.zero, offset: 0x180F)
        #expect(service.uuid == 0x180F)
        #expect(service.addCharacteristic("level", offset: 0x2A19).uuid == 0x2A19)
        let other = Service(name: "battery", base: Self.zero, adding: 0x180F)
        #expect(other.uuid == 0x180F)
        #expect(other.addCharacteristic("level", adding: 0x2A19).uuid.short == 0x2A19)
        #expect(other.addCharacteristic("long", adding: 1 << 40).uuid == "00000000-0000-0000-0000-010000000000")
    }

    @Test("A characteristic of an address of its own keeps its name, UUID and service")
    @BluetoothActor func addresses() {
        let service = Service(name: "main", uuid: Self.base)
        let characteristic = service.addCharacteristic("name", uuid: 0x2A00)
        #expect(characteristic.name == "name")
        #expect(characteristic.uuid.short == 0x2A00)
        #expect(characteristic.service === service)
        #expect(service["name"] === characteristic)
        #expect(service["2A00"] === characteristic)
        #expect(service[0x2A00] === characteristic)
        #expect(service["none"] == nil)
    }

    @Test("UUIDs are listed in the order of declaration, or of the names that are asked for")
    @BluetoothActor func lists() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await Self.declared(fixture)
        let service = try #require(peripheral["main"])
        #expect(peripheral.serviceUUIDs == [Self.base, 0x180F])
        #expect(peripheral.serviceUUIDs(named: ["battery", "none", "main"]) == [0x180F, Self.base])
        #expect(service.characteristicUUIDs == [Self.base.replacingShort(with: 3), 0x2A00])
        #expect(
            service.characteristicUUIDs(named: ["absent", "none", "updates"]) == [
                0x2A00, Self.base.replacingShort(with: 3),
            ])
    }

    @Test("What was declared stands first and is told apart from what was only discovered")
    @BluetoothActor func declaredFirst() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await Self.declared(fixture)
        try await peripheral.connect()
        let found = try await peripheral.discoverServices()
        let service = try #require(peripheral["main"])
        #expect(service.isDeclared && service.isDiscovered)
        #expect(peripheral["battery"]?.isDiscovered == false)
        #expect(peripheral.services.prefix(2).map(\.name) == ["main", "battery"])
        #expect(peripheral.services.filter(\.isDeclared).count == 2)
        #expect(peripheral.services.count > 2)
        #expect(found.contains(service) && found.contains { !$0.isDeclared })
        let characteristics = try await service.discoverCharacteristics()
        #expect(service.characteristics.map(\.isDeclared) == [true, true, false])
        #expect(service.characteristics.map(\.isDiscovered) == [true, false, true])
        #expect(characteristics.map(\.name) == [Self.base.replacingShort(with: 1).description, "updates"])
        #expect(!service.characteristic("misspelled").isDeclared)
        #expect(!peripheral.service("misspelled").isDeclared)
    }

    @Test("Discovery reports the services and characteristics that were asked for, and binds the objects declared")
    @BluetoothActor func subsets() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await Self.declared(fixture)
        let service = try #require(peripheral["main"])
        try await peripheral.connect()
        let services = try await peripheral.discoverServices(peripheral.serviceUUIDs(named: ["main"]))
        #expect(services == [service])
        #expect(peripheral[Self.base] === service)
        let names = ["updates"]
        let found = try await service.discoverCharacteristics(service.characteristicUUIDs(named: names))
        #expect(found.map(\.name) == names)
        #expect(found.first === service["updates"])
        #expect(try await found.first?.readValue() == Data([0]))
    }

    @Test("A service is enabled while all that it declares is found on the present link")
    @BluetoothActor func enabled() async throws {
        let fixture = try await PeripheralFixture()
        fixture.central.peripheralBuilder = { device in
            let peripheral = Peripheral(device)
            peripheral.addService(Service(name: "main", base: Self.base, offset: 0))
            peripheral["main"]?.addCharacteristic("updates", offset: 3)
            return peripheral
        }
        let peripheral = try await fixture.find()
        let service = try #require(peripheral["main"])
        #expect(!service.isEnabled)
        try await peripheral.connect()
        #expect(!service.isEnabled)
        try await peripheral.discoverServices()
        #expect(service.isEnabled)
        await fixture.simulator.disconnect()
        try await eventually("the end of the link") { !peripheral.isConnected }
        #expect(!service.isEnabled && service.isDiscovered)
        try await peripheral.connect()
        #expect(!service.isEnabled)
        try await peripheral.discoverServices()
        #expect(service.isEnabled)
        service.addCharacteristic("absent", uuid: 0x2A00)
        #expect(!service.isEnabled)
    }

    /// A peripheral that declares a service of the simulator's, with a characteristic that is there and one that is not, and
    /// a service that is not there.
    @BluetoothActor private static func declared(_ fixture: PeripheralFixture) async throws -> Peripheral {
        fixture.central.peripheralBuilder = { device in
            let peripheral = Peripheral(device)
            let service = Service(name: "main", base: base, offset: 0)
            service.addCharacteristic("updates", offset: 3)
            service.addCharacteristic("absent", uuid: 0x2A00)
            peripheral.addService(service)
            peripheral.addService(Service(name: "battery", uuid: 0x180F))
            return peripheral
        }
        return try await fixture.find()
    }
}
