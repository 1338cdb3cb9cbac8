import Testing

@testable import BlueZSensorTag

@Suite("The light sensor of the CC2650")
struct OpticalTests {
    @Test("The light sensor of the CC2650")
    func opt3001OfDocument() throws {
        #expect(try OPT3001.reading(from: bytes("5634")).lux == 88.80)
        #expect(try OPT3001.reading(from: bytes("ffbf")).lux == 83865.60)
    }

    @Test("The light sensor of the CC2650", arguments: ConversionVector.table("opt3001"))
    func opt3001(vector: ConversionVector) throws {
        vector.expect([try OPT3001.reading(from: vector.payload).lux])
    }

    @Test("An exponent that the light sensor does not have is no measurement", arguments: [0xC0, 0xD0, 0xE0, 0xFF])
    func opt3001Invalid(high: UInt8) {
        #expect(throws: SensorTagDataError.invalidMeasurement(.optical)) {
            try OPT3001.reading(from: [0xFF, high])
        }
    }
}
