import BlueZSensorTag
import BlueZSimulator
import CoreBlueZ
import Foundation
import PeripheralServer
import TestSupport
import Testing

@testable import BlueZSimulatedSensorTag

/// This computer as a tag.
@Suite("A tag that is served", .timeLimit(.minutes(10))) struct ServedTagTests {
    private static let time = SimulatedTagTests.time
    private static let environment = SimulatedTagTests.environment

    @Test(
        "The library reads through another adapter what the tag measures",
        arguments: [SensorTagModel.cc2541, .cc2650])
    func readings(model: SensorTagModel) async throws {
        try await ServedTag.run(model) { served in
            let manager = SensorTagManager(bus: .address(served.bluez.address), adapter: "hci1")
            let tag = try #require(try await manager.firstPeripheral(timeout: Patience.timeout) as? SensorTag)
            try await tag.connect()
            try await tag.prepare()
            #expect(tag.generation == (model == .cc2650 ? .cc2650 : .cc2541))
            let temperature = try await tag.temperature.firstReading()
            #expect(abs(temperature.ambientCelsius - Self.environment.temperature(at: Self.time)) < 0.05)
            let humidity = try await tag.humidity.firstReading()
            #expect(abs(humidity.relativeHumidityPercent - Self.environment.humidity(at: Self.time)) < 0.05)
            let pascals = try #require(try await tag.barometer.firstReading().pressurePascals)
            #expect(abs(pascals - Self.environment.pressure(at: Self.time)) < 10)
            try await tag.disconnect()
        }
    }

    @Test("The services, descriptors and values are the real tag's", arguments: SensorTagModel.allCases)
    func database(model: SensorTagModel) async throws {
        try await ServedTag.run(model) { served in
            let wanted = model.specification().services
            let found = try await served.simulate { central in
                try await central.connect(timeout: Patience.timeout)
                // bluetoothd's own Device Information has the PnP ID only.
                return try await central.discover().filter {
                    ![0x1800, 0x1801].contains($0.uuid) && $0.characteristics.map(\.uuid) != [0x2A50]
                }
            }
            #expect(found.map(\.uuid) == wanted.map(\.uuid))
            for (service, specification) in zip(found, wanted) {
                #expect(service.characteristics.map(\.uuid) == specification.characteristics.map(\.uuid))
                #expect(service.characteristics.map(\.properties) == specification.characteristics.map(\.properties))
                for (characteristic, part) in zip(service.characteristics, specification.characteristics) {
                    let descriptors = Set(part.descriptors.map(\.uuid))
                    #expect(descriptors.isSubset(of: characteristic.descriptors.values), "\(characteristic.uuid)")
                }
            }
        }
    }

    @Test("A sensor notifies while it is on and a central has subscribed, and is off after the link")
    func subscription() async throws {
        try await ServedTag.run(.cc2541) { served in
            try await served.simulate { central in
                try await central.connect(timeout: Patience.timeout)
                try await central.discover()
                let data = try #require(central.characteristic(.ti(0xAA21)))
                let configuration = try #require(central.characteristic(.ti(0xAA22))).handle
                let period = try #require(central.characteristic(.ti(0xAA23))).handle
                #expect(try await central.write([9], to: period) == .failure(Sensor.invalidValue))
                #expect(try await central.write([1, 1], to: configuration) == .failure(.invalidAttributeValueLength))
                #expect(try await central.write([10], to: period) == .success([]))
                #expect(try await central.write([1], to: configuration) == .success([]))
                #expect(try await central.configure(data, 1) == .success([]))
                try await Patience.wait(for: "values") { central.updates.count >= 2 }
                #expect(central.updates.allSatisfy { $0.uuid == .ti(0xAA21) && $0.value.count == 4 })
                central.disconnect()
            }
            let tag = served.tag
            try await Patience.wait(for: "the sensors to be off") {
                await SimulatorActor.run { tag.sensors.allSatisfy { !$0.isOn } }
            }
        }
    }
}

/// A simulator with two adapters, a tag that the first one serves, and a central.
@BluetoothActor private struct ServedTag {
    let bluez: SimulatedBlueZ
    let central: SimulatedCentral
    let tag: SimulatedSensorTag

    static func run(_ model: SensorTagModel, _ body: @BluetoothActor (ServedTag) async throws -> Void) async throws {
        try await BluetoothActor.run {
            let adapters = [AdapterSpecification(), AdapterSpecification(address: "00:AA:01:00:00:43", name: "other")]
            let bluez = try await SimulatorFixture.start(.init(adapters: adapters, timing: .instant))
            let manager = PeripheralManager(bus: .address(bluez.address), adapter: "hci0")
            try await manager.waitUntilPoweredOn(timeout: Patience.timeout)
            let tag = await SimulatorActor.run {
                SimulatedSensorTag(
                    model, as: SimulatedPeripheral(model.specification()), clock: { SimulatedTagTests.time })
            }
            let served = await ServedPeripheral(tag.peripheral, by: manager)
            try await served.publish()
            try await manager.startAdvertising(LocalAdvertisement(model.specification()))
            try await body(ServedTag(bluez: bluez, central: await bluez.addCentral(), tag: tag))
            await served.unpublish()
        }
    }

    /// Does something in the simulator.
    @discardableResult
    func simulate<R: Sendable>(_ body: @SimulatorActor (SimulatedCentral) async throws -> R) async rethrows -> R {
        let central = central
        return try await SimulatorActor.run { try await body(central) }
    }
}
