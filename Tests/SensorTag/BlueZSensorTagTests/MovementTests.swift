import CoreBlueZ
import Testing

@testable import BlueZSensorTag

@Suite("The movement sensor of the CC2650", .timeLimit(.minutes(10)))
struct MovementTests {
    @Test("The standard is everything at ±8 g, low byte first")
    func standard() {
        #expect(MovementConfiguration.standard.bytes == [0x7F, 0x02])
        #expect(MovementConfiguration.offBytes == [0, 0])
    }

    @Test(
        "Every sensor has its bit",
        arguments: [
            (MovementConfiguration.Sensors.gyroscopeZ, UInt8(0x01)), (.gyroscopeY, 0x02), (.gyroscopeX, 0x04),
            (.accelerometerZ, 0x08), (.accelerometerY, 0x10), (.accelerometerX, 0x20), (.magnetometer, 0x40),
            (.wakeOnMotion, 0x80), (.gyroscope, 0x07), (.accelerometer, 0x38), (.all, 0x7F),
            (MovementConfiguration.Sensors(), 0),
        ] as [(MovementConfiguration.Sensors, UInt8)])
    func sensors(sensors: MovementConfiguration.Sensors, byte: UInt8) {
        #expect(MovementConfiguration(sensors: sensors, range: .twoG).bytes == [byte, 0])
    }

    @Test(
        "The range is in bits 8 and 9; the bits above are ignored",
        arguments: [
            (UInt8(0), MPU9250.Range.twoG), (1, .fourG), (2, .eightG), (3, .sixteenG), (0xFC, .twoG), (0xFE, .eightG),
        ])
    func range(high: UInt8, expected: MPU9250.Range) throws {
        let configuration = try MovementConfiguration(from: [0x47, high])
        #expect(configuration.range == expected)
        #expect(configuration.sensors == [.gyroscope, .magnetometer])
        #expect(configuration.bytes == [0x47, high & 0b11])
    }

    @Test("The movement sensor of the CC2650 in every range", arguments: ConversionVector.table("mpu9250"))
    func mpu9250(vector: ConversionVector) throws {
        let range = try #require(MPU9250.Range(rawValue: vector.range))
        vector.expect(try MPU9250.reading(from: vector.payload, range: range).values)
    }

    @Test("The movement sensor is asked for the range that all firmware has, and its first zeros are no reading")
    func movement() async throws {
        try await FakeTagFixture.run(.cc2650(firmware: "1.20 (x)")) { fixture in
            let received = Received<MovementReading>()
            fixture.tag.movement.readingHandler = received.take
            fixture.tag.movement.configuration.range = .twoG
            try await fixture.tag.movement.turnOn()
            #expect(await fixture.value("aa82") == [0x7F, 0x02])
            await fixture.notify(
                "aa81", [UInt8](repeating: 0, count: 10) + [0, 0x10] + [UInt8](repeating: 0, count: 6))
            try await fixture.wait { received.count > 0 }
            #expect(received.values.map(\.accelerometer) == [AccelerometerReading(x: 0, y: 0, z: 1)])
            try await fixture.tag.movement.turnOff()
            #expect(await fixture.value("aa82") == [0, 0])
        }
    }
}
