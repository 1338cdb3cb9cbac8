import BlueZSimulator
import CoreBluetooth
import TestSupport
import Testing

/// Discovering what a peripheral has.
@MainActor @Suite struct DiscoveryTests {
    /// A peripheral with a service that includes a secondary one.
    private func stand() async throws -> Stand {
        var specification = SimulatorFixture.specification()
        specification.services[0].includes = [0x180F]
        specification.services.append(
            ServiceSpecification(
                0x180F, isPrimary: false, characteristics: [CharacteristicSpecification(0x2A19, .read, value: [80])]))
        return try await Stand(SimulatorFixture(.init(timing: .instant), peripheral: specification))
    }

    @Test("Within a connection, a second discovery returns the same objects, and adds what is new")
    func sameObjects() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        let services = peripheral.services
        let characteristics = value.service?.characteristics
        #expect(services?.map(\.uuid) == [Stand.service])
        let again = try await stand.discover(Stand.value, of: peripheral)
        #expect(again === value && peripheral.services == services)
        #expect(value.service?.characteristics == characteristics)
        try await stand.next("services") { peripheral.discoverServices(nil) }
        #expect((peripheral.services?.count ?? 0) > 1)
        #expect(peripheral.services?.contains { $0 === services?.first } == true)
        #expect(value.service === services?.first && value.service?.peripheral === peripheral)
        #expect(value.properties == [.read, .write] && value.service?.isPrimary == true)
    }

    @Test("Characteristics are found by UUID, and collected")
    func characteristics() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.connect()
        try await stand.next("services") { peripheral.discoverServices([Stand.service]) }
        let service = try #require(peripheral.services?.first)
        #expect(service.characteristics == nil)
        try await stand.next("characteristics") { peripheral.discoverCharacteristics([Stand.updates], for: service) }
        #expect(service.characteristics?.map(\.uuid) == [Stand.updates])
        try await stand.next("characteristics") { peripheral.discoverCharacteristics([Stand.value], for: service) }
        #expect(service.characteristics?.map(\.uuid) == [Stand.value, Stand.updates])
    }

    @Test("Only primary services are services of a peripheral; others are included")
    func included() async throws {
        let stand = try await stand()
        let peripheral = try await stand.connect()
        try await stand.next("services") { peripheral.discoverServices(nil) }
        #expect(peripheral.services?.contains { $0.uuid == CBUUID(string: "180F") } == false)
        let service = try #require(peripheral.services?.first { $0.uuid == Stand.service })
        try await stand.next("included") { peripheral.discoverIncludedServices(nil, for: service) }
        let battery = try #require(service.includedServices?.first)
        #expect(battery.uuid == CBUUID(string: "180F") && !battery.isPrimary)
        try await stand.next("characteristics") { peripheral.discoverCharacteristics(nil, for: battery) }
        let level = try #require(battery.characteristics?.first)
        try await stand.next("value") { peripheral.readValue(for: level) }
        #expect(level.value == Data([80]))
    }

    @Test("Descriptors are found, and have values of Apple's types")
    func descriptors() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        #expect(value.descriptors == nil)
        try await stand.next("descriptors") { peripheral.discoverDescriptors(for: value) }
        let description = try #require(value.descriptors?.first)
        #expect(description.uuid == CBUUID(string: CBUUIDCharacteristicUserDescriptionString))
        #expect(description.characteristic === value && description.value == nil)
        try await stand.next("descriptor value") { peripheral.readValue(for: description) }
        #expect(description.value as? String == "A")
        // The peripheral does not let it be written.
        try await stand.next("descriptor written") { peripheral.writeValue(Data([0x42]), for: description) }
        #expect((stand.recorder.error as? CBATTError)?.code == .writeNotPermitted)
    }

    @Test("After a disconnection, earlier attributes are invalid, and a discovery returns new ones")
    func disconnection() async throws {
        let stand = try await Stand()
        let (peripheral, old) = try await stand.discover(Stand.value)
        try await stand.next("disconnected") { stand.central.cancelPeripheralConnection(peripheral) }
        #expect(peripheral.services == nil)
        try await stand.next("connected") { stand.central.connect(peripheral) }
        try await stand.next("value") { peripheral.readValue(for: old) }
        #expect((stand.recorder.error as? CBError)?.code == .invalidHandle)
        let value = try await stand.discover(Stand.value, of: peripheral)
        #expect(value !== old)
        try await stand.next("value") { peripheral.readValue(for: value) }
        #expect(stand.recorder.error == nil && value.value == Data([1, 2, 3]) && old.value == nil)
    }

    @Test("Services that a peripheral removes are invalid, and others are not")
    func modified() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        try await stand.next("services") { peripheral.discoverServices(nil) }
        let service = try #require(value.service)
        let others = peripheral.services?.filter { $0 !== service } ?? []
        await stand.simulate { fixture in
            if let service = fixture.peripheral[SimulatorFixture.service] { fixture.peripheral.removeService(service) }
        }
        try await eventually("the change") { stand.recorder.count("modified") == 1 }
        #expect(stand.recorder.invalidated == [service])
        #expect(peripheral.services == others && service.peripheral == nil)
        try await stand.next("value") { peripheral.readValue(for: value) }
        #expect((stand.recorder.error as? CBError)?.code == .invalidHandle)
        try await stand.next("characteristics") { peripheral.discoverCharacteristics(nil, for: service) }
        #expect((stand.recorder.error as? CBError)?.code == .invalidHandle)
    }

    @Test("A new name is reported")
    func name() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.find()
        await stand.simulate { $0.peripheral.advertisement.localName = "Bracelet" }
        stand.central.scanForPeripherals(withServices: nil)
        try await eventually("the name") { stand.recorder.count("name Bracelet") == 1 }
        #expect(peripheral.name == "Bracelet")
    }
}
