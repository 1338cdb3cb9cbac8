import BlueZSensorTag
import BlueZSimulatedSensorTag
import BlueZSimulator
import TestSupport
import Testing

/// The tag and the conversions are two implementations of one document: here they meet.
@Suite("What the simulated tag measures, decoded", .virtualTime) struct TagReadingTests {
    private let environment = SensorEnvironment()
    private let time = TagFixture.time

    private func value(
        _ model: SensorTagModel, _ service: UInt16, configuration: [UInt8] = [1], notification: Int = 1
    ) async throws -> [UInt8] {
        try await ClientActor.run {
            let fixture = try await TagFixture.connected(model)
            if model != .cc2541Firmware1_3 {
                let period: UInt16 = service == 0xAA40 ? 0xAA44 : service + 3
                try await fixture.write([service == 0xAA00 ? 30 : 10], to: ti(period))
            }
            try await fixture.subscribe(to: ti(service + 1))
            try await fixture.write(configuration, to: ti(service + 2))
            let values = try await fixture.wait(forNotifications: notification, of: ti(service + 1))
            return try #require(values.count >= notification ? values[notification - 1] : nil)
        }
    }

    private func near(_ reading: (some ThreeAxisReading), _ vector: SensorEnvironment.Vector, within limit: Double)
        -> Bool
    {
        abs(reading.x - vector.x) <= limit && abs(reading.y - vector.y) <= limit && abs(reading.z - vector.z) <= limit
    }

    @Test("IR temperature of the first generation")
    func infrared() async throws {
        let reading = try TMP006.reading(from: try await value(.cc2541, 0xAA00))
        #expect(abs(reading.ambientCelsius - environment.temperature(at: time)) <= 0.5 / 128)
        #expect(abs(try #require(reading.objectCelsius) - environment.objectTemperature(at: time)) < 0.03)
    }

    @Test(
        "Accelerometer of the first generation, by firmware and range",
        arguments: [
            (.cc2541, 1, .eightG), (.cc2541, 2, .fourG), (.cc2541, 3, .twoG), (.cc2541, 9, .twoG),
            (.cc2541Firmware1_3, 1, .twoG),
        ] as [(SensorTagModel, UInt8, KXTJ9.Range)]
    )
    func accelerometer(model: SensorTagModel, configuration: UInt8, range: KXTJ9.Range) async throws {
        let payload = try await value(model, 0xAA10, configuration: [configuration])
        let reading = try KXTJ9.reading(from: payload, range: range)
        #expect(near(reading, environment.acceleration(at: time), within: Double(range.rawValue) / 256 + 0.02))
    }

    @Test("Humidity of the first generation, with status bits")
    func humidity() async throws {
        let payload = try await value(.cc2541, 0xAA20)
        #expect(payload[0] & 3 == 0 && payload[2] & 3 == 2)
        let reading = try SHT21.reading(from: payload)
        #expect(abs(reading.temperatureCelsius - environment.temperature(at: time)) < 0.02)
        #expect(abs(reading.relativeHumidityPercent - environment.humidity(at: time)) < 0.01)
    }

    @Test("Magnetometer of the first generation")
    func magnetometer() async throws {
        let reading = try MAG3110.reading(from: try await value(.cc2541, 0xAA30))
        #expect(near(reading, environment.magneticField(at: time), within: 0.02))
    }

    @Test("Gyroscope of the first generation, and the axes that are not asked for", arguments: [7, 1, 6] as [UInt8])
    func gyroscope(axes: UInt8) async throws {
        let reading = try IMU3000.reading(from: try await value(.cc2541, 0xAA50, configuration: [axes]))
        var expected = environment.rotation(at: time)
        if axes & 1 == 0 { expected.x = 0 }
        if axes & 2 == 0 { expected.y = 0 }
        if axes & 4 == 0 { expected.z = 0 }
        #expect(near(reading, expected, within: 0.005))
    }

    @Test("Movement of the second generation, at each range", arguments: MPU9250.Range.allCases)
    func movement(range: MPU9250.Range) async throws {
        let bits: [MPU9250.Range: UInt8] = [.twoG: 0, .fourG: 1, .eightG: 2, .sixteenG: 3]
        // The first value is the zeros that follow each configuration.
        let payload = try await value(
            .cc2650, 0xAA80, configuration: [0x7F, try #require(bits[range])], notification: 2)
        let reading = try MPU9250.reading(from: payload, range: range)
        #expect(near(reading.gyroscope, environment.rotation(at: time), within: 0.005))
        #expect(near(reading.accelerometer, environment.acceleration(at: time), within: 0.001))
        let field = environment.magneticField(at: time)
        var turned = field
        (turned.x, turned.y, turned.z) = (field.y, field.x, -field.z)
        #expect(near(reading.magnetometer, turned, within: 0.1))
    }

    @Test("Temperature, humidity, pressure and light of the second generation")
    func secondGeneration() async throws {
        let infrared = try TMP007.reading(from: try await value(.cc2650, 0xAA00))
        #expect(abs(infrared.ambientCelsius - environment.temperature(at: time)) < 0.02)
        #expect(abs(try #require(infrared.objectCelsius) - environment.objectTemperature(at: time)) < 0.02)
        let humidity = try HDC1000.reading(from: try await value(.cc2650, 0xAA20))
        #expect(abs(humidity.temperatureCelsius - environment.temperature(at: time)) < 0.01)
        #expect(abs(humidity.relativeHumidityPercent - environment.humidity(at: time)) < 0.01)
        let barometer = try BMP280.reading(from: try await value(.cc2650, 0xAA40))
        #expect(abs(barometer.temperatureCelsius - environment.temperature(at: time)) < 0.01)
        #expect(abs(try #require(barometer.pressurePascals) - environment.pressure(at: time)) <= 0.5)
        let light = try OPT3001.reading(from: try await value(.cc2650, 0xAA70))
        #expect(abs(light.lux - environment.illuminance(at: time)) < 0.5)
    }

    @Test("Each barometer value renews one half, the temperature first")
    @ClientActor func barometerHalves() async throws {
        let fixture = try await TagFixture.connected(runsFrom: 0, speed: 100)
        try await fixture.write([10], to: ti(0xAA44))
        try await fixture.subscribe(to: ti(0xAA41))
        try await fixture.write([1], to: ti(0xAA42))
        let values = try await fixture.wait(forNotifications: 6, of: ti(0xAA41))
        for (number, (old, new)) in zip(values, values.dropFirst()).enumerated() {
            let (isTemperatureNew, isPressureNew) = (old.prefix(2) != new.prefix(2), old.suffix(2) != new.suffix(2))
            #expect(isPressureNew == number.isMultiple(of: 2) && isTemperatureNew != isPressureNew)
        }
    }

    @Test("The barometer's first value has no pressure, the others are the environment's")
    @ClientActor func barometer() async throws {
        let fixture = try await TagFixture.connected()
        try await fixture.write([10], to: ti(0xAA44))
        try await fixture.write([2], to: ti(0xAA42))
        let calibration = try BarometerCalibration(from: try await fixture.read(ti(0xAA43)))
        try await fixture.subscribe(to: ti(0xAA41))
        try await fixture.write([1], to: ti(0xAA42))
        let values = try await fixture.wait(forNotifications: 3, of: ti(0xAA41))
        let readings = try values.map { try T5400.reading(from: $0, calibration: calibration) }
        #expect(Array(values[0].suffix(2)) == [0, 0])
        #expect(readings[0].pressurePascals == nil)
        for reading in readings.dropFirst() {
            #expect(abs(reading.temperatureCelsius - environment.temperature(at: time)) < 0.01)
            #expect(abs(try #require(reading.pressurePascals) - environment.pressure(at: time)) < 3)
        }
    }
}
