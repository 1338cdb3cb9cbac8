import BlueZSensorTag
import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

@testable import BlueZSimulatedSensorTag

/// The library and the simulated tag were written from the same document, but not by the same hand.
@Suite("The library reads what the simulated tag measures", .timeLimit(.minutes(10))) struct SimulatedTagTests {
    static let time = 12.0
    static let environment = SensorEnvironment()

    @Test("Temperature, humidity and pressure are those of its environment", arguments: SensorTagModel.allCases)
    @BluetoothActor func air(model: SensorTagModel) async throws {
        let tag = try await SimulatedTagFixture(model)
        let environment = Self.environment
        let temperature = try await tag.first(tag.tag.temperature)
        #expect(abs(temperature.ambientCelsius - environment.temperature(at: Self.time)) < 0.05)
        let object = try #require(temperature.objectCelsius)
        #expect(abs(object - environment.objectTemperature(at: Self.time)) < 0.1)
        let humidity = try await tag.first(tag.tag.humidity)
        #expect(abs(humidity.temperatureCelsius - environment.temperature(at: Self.time)) < 0.05)
        #expect(abs(humidity.relativeHumidityPercent - environment.humidity(at: Self.time)) < 0.05)
        let barometer = try await tag.first(tag.tag.barometer)
        #expect(abs(barometer.temperatureCelsius - environment.temperature(at: Self.time)) < 0.05)
        let pascals = try #require(barometer.pressurePascals)
        #expect(abs(pascals - environment.pressure(at: Self.time)) < 10)
    }

    @Test("Accelerations are those of its environment", arguments: SensorTagModel.allCases)
    @BluetoothActor func acceleration(model: SensorTagModel) async throws {
        let fixture = try await SimulatedTagFixture(model)
        let isFirstGeneration = fixture.tag.generation == .cc2541
        let reading =
            if isFirstGeneration {
                try await fixture.first(fixture.tag.accelerometer)
            } else {
                try await fixture.first(fixture.tag.movement).accelerometer
            }
        let expected = Self.environment.acceleration(at: Self.time)
        let step = isFirstGeneration ? 1.0 / 64 : 1.0 / 4096
        #expect(abs(reading.x - expected.x) <= step)
        #expect(abs(reading.y - expected.y) <= step)
        #expect(abs(reading.z - expected.z) <= step)
    }

    @Test("The light is that of its environment")
    @BluetoothActor func light() async throws {
        let fixture = try await SimulatedTagFixture(.cc2650)
        let lux = try await fixture.first(fixture.tag.optical).lux
        let expected = Self.environment.illuminance(at: Self.time)
        #expect(abs(lux - expected) < expected / 100)
    }

    @Test("A period below the limits of the firmware is refused by the library, not by the tag")
    @BluetoothActor func period() async throws {
        let fixture = try await SimulatedTagFixture(.cc2541)
        await #expect(throws: BluetoothError.self) {
            try await fixture.tag.humidity.setPeriod(milliseconds: 90)
        }
        #expect(await !fixture.simulated.peripheral.log.contains { $0.operation == .write })
    }

    @Test(
        "A sensor that is on measures at the period that is read, whatever an earlier link has set",
        arguments: SensorTagModel.allCases)
    @BluetoothActor func periodThatIsRead(model: SensorTagModel) async throws {
        let fixture = try await SimulatedTagFixture(model)
        for isFirst in [true, false] {
            for sensor in fixture.tag.sensors where sensor.hasPeriod {
                try await sensor.turnOn()
                let period = try await sensor.readPeriod().milliseconds
                #expect(await fixture.interval(sensor.name) == .milliseconds(period))
                if isFirst { #expect(period == sensor.periodLimits.defaultMilliseconds) }
                try await sensor.setPeriod(milliseconds: 500)
                #expect(await fixture.interval(sensor.name) == .milliseconds(500))
            }
            try await fixture.tag.disconnect()
            try await fixture.tag.connect()
            try await fixture.tag.prepare()
        }
    }

    @Test("The self-test of either generation can be read, and reports all sensors")
    @BluetoothActor func selfTest() async throws {
        let first = try await SimulatedTagFixture(.cc2541)
        #expect(try await first.tag.test.readSelfTest() == .all)
        let second = try await SimulatedTagFixture(.cc2650)
        #expect(try await second.tag.io.readSelfTest() == .all)
        #expect(!second.tag.test.isDiscovered)
    }
}

/// A simulated tag whose environment stands still, and the library's tag connected to it.
private typealias SimulatedTagFixture = TagFixture<SimulatedSensorTag>

extension SimulatedTagFixture {
    fileprivate init(_ model: SensorTagModel) async throws {
        try await self.init { try SimulatedSensorTag(model, in: $0, clock: { SimulatedTagTests.time }) }
    }

    /// The time between two measurements of the simulated sensor.
    fileprivate func interval(_ name: String) async -> Duration? {
        let digits = tag.service(name).uuid.fullString.dropFirst(4).prefix(4)
        return await measuredInterval(UInt16(digits, radix: 16))
    }

    @SimulatorActor private func measuredInterval(_ service: UInt16?) -> Duration? {
        simulated.sensors.first { $0.design.service == service }?.interval
    }

    /// A sensor's first reading.
    fileprivate func first<Reading: Sendable>(_ sensor: SensorService<Reading>) async throws -> Reading {
        try await sensor.firstReading()
    }
}

extension SensorService {
    /// Switches the sensor on at its shortest period, returns its first reading, and switches it off.
    func firstReading() async throws -> Reading {
        if hasPeriod { try await setPeriod(milliseconds: periodLimits.allowed.lowerBound) }
        var reading: Reading?
        var failure: BluetoothError?
        readingHandler = { value, error in
            reading = reading ?? value
            failure = failure ?? error
        }
        try await turnOn()
        try await Patience.wait(for: "a reading") { reading != nil || failure != nil }
        try await turnOff()
        if let failure { throw failure }
        return try #require(reading)
    }
}
