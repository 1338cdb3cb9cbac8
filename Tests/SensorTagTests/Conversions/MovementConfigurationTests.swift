import Testing

@testable import SensorTag

@Suite("The configuration of the movement sensor")
struct MovementConfigurationTests {
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
        "The range stands in bits 8 and 9; the bits above are ignored",
        arguments: [
            (UInt8(0), MPU9250.Range.twoG), (1, .fourG), (2, .eightG), (3, .sixteenG), (0xFC, .twoG), (0xFE, .eightG),
        ])
    func range(high: UInt8, expected: MPU9250.Range) throws {
        let configuration = try MovementConfiguration(from: [0x47, high])
        #expect(configuration.range == expected)
        #expect(configuration.sensors == [.gyroscope, .magnetometer])
        #expect(configuration.bytes == [0x47, high & 0b11])
    }
}
