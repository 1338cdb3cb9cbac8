import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// Nothing that is missing keeps a completion from running.
@Suite(.virtualTime) struct PlaceholderTests {
    private static let service = SimulatorFixture.service

    @Test("What is there is what the subscripts return")
    @BluetoothActor func present() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let service = try #require(peripheral[Self.service])
        #expect(peripheral.service(Self.service) === service)
        #expect(peripheral.service(service.name) === service)
        let value = try fixture.value(of: peripheral)
        #expect(service.characteristic(value.uuid) === value)
        #expect(service.characteristic(value.name) === value)
        #expect(try await service.characteristic(value.uuid).readValue() == Data([1, 2, 3]))
    }

    @Test("A service that is missing ends each completion with an error that says so")
    @BluetoothActor func service() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        var errors: [BluetoothError?] = []
        let characteristic = { peripheral.service(0x1809).characteristic(0x2A1C) }
        characteristic().readValue { _, error in errors.append(error) }
        characteristic().writeValue(Data([1])) { error in errors.append(error) }
        characteristic().setNotifyValue(true) { error in errors.append(error) }
        characteristic().discoverDescriptors { _, error in errors.append(error) }
        peripheral.service(0x1809).discoverCharacteristics { _, error in errors.append(error) }
        try await eventually("all completions") { errors.count == 5 }
        #expect(errors.allSatisfy { $0?.code == .notDiscovered })
        #expect(errors.allSatisfy { $0?.message.contains("the peripheral has no service 1809; it has") == true })
    }

    @Test("A name that is misspelled ends in an error with the names that there are")
    @BluetoothActor func names() async throws {
        let fixture = try await PeripheralFixture()
        fixture.central.peripheralBuilder = { device in
            let peripheral = Peripheral(device)
            let service = Service(name: "weather", uuid: Self.service)
            service.addCharacteristic("data", uuid: SimulatorFixture.value)
            peripheral.addService(service)
            return peripheral
        }
        let peripheral = try await fixture.connect()
        let error = await fixture.failure {
            try await peripheral.service("weather").characteristic("dta").readValue()
        }
        #expect(error?.code == .notDiscovered)
        #expect(error?.message.contains("the service weather has no characteristic dta; it has data, ") == true)
        let other = await fixture.failure {
            try await peripheral.service("wether").characteristic("data").readValue()
        }
        #expect(other?.message.contains("the peripheral has no service wether; it has weather") == true)
    }

    @Test("Before there is a link, it says that there is none")
    @BluetoothActor func unconnected() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        let error = await fixture.failure {
            try await peripheral.service(0x180A).characteristic(0x2A29).readValue()
        }
        #expect(error?.code == .notConnected)
    }
}
