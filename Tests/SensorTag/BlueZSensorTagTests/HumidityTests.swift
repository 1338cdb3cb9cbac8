import Testing

@testable import BlueZSensorTag

@Suite("The humidity sensors")
struct HumidityTests {
    @Test("The humidity sensor of the CC2541")
    func sht21OfTags() throws {
        let vector = ConversionVector("40687668", [24.707851563, 45.002502441])
        vector.expect(try SHT21.reading(from: vector.payload).values)
    }

    @Test("The temperature of the humidity sensor has no sign, so that 41.01 °C does not become -134.71")
    func sht21Warm() throws {
        let reading = try SHT21.reading(from: bytes("00800060"))
        #expect(abs(reading.temperatureCelsius - 41.01) < 1e-9)
    }

    @Test("The humidity sensor of the CC2541", arguments: ConversionVector.table("sht21"))
    func sht21(vector: ConversionVector) throws {
        vector.expect(try SHT21.reading(from: vector.payload).values)
    }

    @Test("The humidity sensor of the CC2650", arguments: ConversionVector.table("hdc1000"))
    func hdc1000(vector: ConversionVector) throws {
        vector.expect(try HDC1000.reading(from: vector.payload).values)
    }

    @Test(
        "A humidity sensor of the CC2650 that did not answer is no measurement",
        arguments: ["00000000", "ffffffff", "0000ffff", "ffff0000", "fffffcff", "68ccffff"])
    func hdc1000Invalid(payload: String) {
        #expect(throws: SensorTagDataError.invalidMeasurement(.humidity)) {
            try HDC1000.reading(from: bytes(payload))
        }
    }

    @Test("Humidity for display stays within 0 to 100 percent")
    func displayedHumidity() throws {
        #expect(try SHT21.reading(from: [0, 0, 0, 0]).displayedHumidityPercent == 0)
        #expect(try SHT21.reading(from: [0, 0, 0xFF, 0xFF]).displayedHumidityPercent == 100)
        #expect(HumidityReading(temperatureCelsius: 20, relativeHumidityPercent: 45).displayedHumidityPercent == 45)
    }
}
