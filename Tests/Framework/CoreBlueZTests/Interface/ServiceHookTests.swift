import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// What a subclass of a service hears, and how its objects are joined.
@Suite(.virtualTime) struct ServiceHookTests {
    private final class Switch: Service {
        var isOn = false
        var log: [String] = []

        override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
            if error == nil { isOn = characteristic.value == Data([1]) }
            log.append("\(characteristic.name) \(error?.code.rawValue ?? "\(characteristic.value?.first ?? 0)")")
        }
        override func didDisconnect() {
            isOn = false
            log.append("disconnect")
        }
    }

    @Test("A subclass gets each notification with its value, then the end of the link, and its switch falls back")
    @BluetoothActor func notifications() async throws {
        let fixture = try await PeripheralFixture()
        let (peripheral, service) = try await Self.connected(fixture)
        try await #require(service["updates"]).setNotifyValue(true)
        await fixture.simulator.notify([0])
        await fixture.simulator.notify([1])
        try await eventually("the switch") { service.isOn }
        #expect(service.log == ["updates 0", "updates 1"])
        #expect(service.characteristic("updates").value == Data([1]))
        try await service.characteristic("value").readValue()
        #expect(service.log.count == 2)
        service.log = []
        await fixture.simulator.disconnect()
        try await eventually("the end of the link") { !peripheral.isConnected }
        #expect(service.log == ["updates disconnected", "disconnect"])
        #expect(service.characteristic("updates").value == nil)
        #expect(!service.isOn)
    }

    @Test("A service falls back at the end of a link on which nothing was notified")
    @BluetoothActor func fallback() async throws {
        let fixture = try await PeripheralFixture()
        let (peripheral, service) = try await Self.connected(fixture)
        service.isOn = true
        try await peripheral.disconnect()
        #expect(service.log == ["disconnect"])
        #expect(!service.isOn)
    }

    @Test("Each object knows the one that has it, and its name")
    @BluetoothActor func parents() async throws {
        let fixture = try await PeripheralFixture()
        let (peripheral, service) = try await Self.connected(fixture)
        #expect(peripheral.central === fixture.central)
        #expect(peripheral.name == "Watch")
        #expect(service.peripheral === peripheral)
        #expect(service.name == "switch")
        let value = try #require(service["value"])
        #expect(value.service === service)
        #expect(value.name == "value")
        #expect(value.descriptors.isEmpty)
        let descriptor = try #require(try await value.discoverDescriptors().first)
        #expect(value.descriptors == [descriptor])
        #expect(descriptor.characteristic === value)
        #expect(descriptor.uuid == 0x2901)
    }

    @Test("Descriptors come to the closure, and again they are the same objects")
    @BluetoothActor func descriptors() async throws {
        let fixture = try await PeripheralFixture()
        let value = try #require(try await Self.connected(fixture).1["value"])
        var found: [[Descriptor]?] = []
        value.discoverDescriptors { descriptors, error in
            #expect(error == nil)
            found.append(descriptors)
        }
        #expect(found.isEmpty)
        try await eventually("the descriptors") { found.count == 1 }
        #expect(found.first??.map(\.uuid) == [0x2901])
        #expect(try await value.discoverDescriptors() == found.first)
    }

    @Test("Reads and writes of a descriptor end in their closures, in order and once")
    @BluetoothActor func descriptorClosures() async throws {
        let fixture = try await PeripheralFixture()
        let value = try #require(try await Self.connected(fixture).1["value"])
        let descriptor: Descriptor = try #require(try await value.discoverDescriptors().first)
        var ends: [String] = []
        descriptor.readValue { value, error in ends.append("\(value?.first ?? 0) \(error == nil)") }
        descriptor.writeValue(Data([1, 2])) { error in ends.append("value \(error?.code.rawValue ?? "")") }
        descriptor.writeByte(1) { error in ends.append("byte \(error?.code.rawValue ?? "")") }
        #expect(ends.isEmpty)
        try await eventually("all of them") { ends.count >= 3 }
        await fixture.central.settle()
        #expect(ends == ["65 true", "value notPermitted", "byte notPermitted"])
        #expect(descriptor.value == Data([0x41]))
    }

    @Test("Characteristics come to the closure by handle, each call to its own")
    @BluetoothActor func discovery() async throws {
        let fixture = try await PeripheralFixture()
        let service = try await Self.connected(fixture).1
        var found: [[Characteristic]?] = []
        service.discoverCharacteristics { characteristics, _ in found.append(characteristics) }
        service.discoverCharacteristics([0x1234]) { characteristics, _ in found.append(characteristics) }
        #expect(found.isEmpty)
        try await eventually("both") { found.count == 2 }
        #expect(found == [[service["value"], service["updates"]].compactMap(\.self), []])
    }

    @BluetoothActor private static func connected(_ fixture: PeripheralFixture) async throws -> (Peripheral, Switch) {
        let service = Switch(name: "switch", base: SimulatorFixture.service, offset: 0)
        service.addCharacteristic("value", offset: 1)
        service.addCharacteristic("updates", offset: 3)
        fixture.central.peripheralBuilder = { device in
            let peripheral = Peripheral(device)
            peripheral.addService(service)
            return peripheral
        }
        return (try await fixture.connect(), service)
    }
}
