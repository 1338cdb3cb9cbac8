import Testing

@testable import BlueZSensorTag

@Suite("What the tag says of its state")
struct TagStateTests {
    @Test(
        "The self-test of the CC2541 has a bit a sensor",
        arguments: [
            ("3f00", CC2541SelfTest.all), ("0100", .temperature), ("0200", .humidity), ("0400", .magnetometer),
            ("0800", .accelerometer), ("1000", .barometer), ("2000", .gyroscope), ("0000", []),
        ] as [(String, CC2541SelfTest)])
    func oldSelfTest(payload: String, expected: CC2541SelfTest) throws {
        #expect(try CC2541SelfTest(from: bytes(payload)) == expected)
    }

    @Test(
        "The self-test of the CC2650 has a bit a part",
        arguments: [
            (0x7F, CC2650SelfTest.all), (1, .temperature), (2, .humidity), (4, .optical), (8, .barometer),
            (16, .movement), (32, .magnetometer), (64, .flash), (0, []),
        ] as [(UInt8, CC2650SelfTest)])
    func newSelfTest(byte: UInt8, expected: CC2650SelfTest) throws {
        #expect(try CC2650SelfTest(from: [byte]) == expected)
    }

    @Test("The battery level", arguments: ConversionVector.table("batteryLevel"))
    func batteryLevel(vector: ConversionVector) throws {
        vector.expect([Double(try BatteryLevel(from: vector.payload).percent)])
    }

    @Test("The connection parameters", arguments: ConversionVector.table("connectionParameters"))
    func connectionParameters(vector: ConversionVector) throws {
        vector.expect(try ConnectionParameters(from: vector.payload).values)
    }
}
