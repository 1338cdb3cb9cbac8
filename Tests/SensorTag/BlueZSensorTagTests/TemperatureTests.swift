import Testing

@testable import BlueZSensorTag

@Suite("The infrared thermometers")
struct TemperatureTests {
    @Test("The IR thermometer of the CC2541")
    func tmp006OfTags() throws {
        ConversionVector("b8ff600d", [26.75, 29.475899944]).expect(try TMP006.reading(from: bytes("b8ff600d")).values)
        let cold = try TMP006.reading(from: bytes("88f2800c"))
        #expect(cold == TemperatureReading(ambientCelsius: 25, objectCelsius: nil))
    }

    @Test("The IR thermometer of the CC2541", arguments: ConversionVector.table("tmp006"))
    func tmp006(vector: ConversionVector) throws {
        vector.expect(try TMP006.reading(from: vector.payload).values)
    }

    @Test("The IR thermometer of the CC2650, hot, cold and invalid")
    func tmp007OfDocument() throws {
        let hot = try TMP007.reading(from: bytes("004b803e"))
        #expect(hot == TemperatureReading(ambientCelsius: 125, objectCelsius: 150))
        let cold = try TMP007.reading(from: bytes("fcfffcff"))
        #expect(cold == TemperatureReading(ambientCelsius: -0.03125, objectCelsius: -0.03125))
        let invalid = try TMP007.reading(from: bytes("014b803e"))
        #expect(invalid == TemperatureReading(ambientCelsius: 125, objectCelsius: nil))
    }

    @Test("The IR thermometer of the CC2650", arguments: ConversionVector.table("tmp007"))
    func tmp007(vector: ConversionVector) throws {
        vector.expect(try TMP007.reading(from: vector.payload).values)
    }
}
