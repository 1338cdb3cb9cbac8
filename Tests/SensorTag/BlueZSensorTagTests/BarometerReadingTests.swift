import Testing

@testable import BlueZSensorTag

@Suite("The readings of the barometers")
struct BarometerReadingTests {
    @Test(
        "The barometer of the CC2541, even if 32-bit arithmetic would overflow",
        arguments: [
            ConversionVector("d9f6cb84", calibration: Decoder.calibration, [18.610433161, 102148.513695483]),
            ConversionVector("ffffffff", calibration: Decoder.calibration, [24.989463747, 197561.929897355]),
        ])
    func t5400OfTags(vector: ConversionVector) throws {
        let calibration = try BarometerCalibration(from: vector.calibration)
        let reading = try T5400.reading(from: vector.payload, calibration: calibration)
        vector.expect(reading.values)
        #expect(reading.pressureHectopascals == reading.pressurePascals.map { $0 / 100 })
    }

    @Test("The first barometer value after switching on has a temperature and no pressure")
    func t5400First() throws {
        let calibration = try BarometerCalibration(from: bytes(Decoder.calibration))
        let reading = try T5400.reading(from: bytes("d9f60000"), calibration: calibration)
        #expect(abs(reading.temperatureCelsius - 18.610433161) < 1e-9)
        #expect(reading.pressurePascals == nil)
        #expect(reading.pressureHectopascals == nil)
    }

    @Test(
        "The barometer of the CC2541 with real, extreme and random calibrations",
        arguments: ConversionVector.table("t5400"))
    func t5400(vector: ConversionVector) throws {
        let calibration = try BarometerCalibration(from: vector.calibration)
        vector.expect(try T5400.reading(from: vector.payload, calibration: calibration).values)
    }

    @Test("A calibration of zeros is not loaded; a single bit makes it one")
    func calibration() throws {
        var zeros = [UInt8](repeating: 0, count: 16)
        #expect(throws: SensorTagDataError.calibrationNotLoaded) { try BarometerCalibration(from: zeros) }
        zeros[15] = 0x80
        let calibration = try BarometerCalibration(from: zeros)
        #expect(calibration.c8 == .min)
        #expect(calibration.c1 == 0)
    }

    @Test("The coefficients 1 to 4 of the barometer have no sign, 5 to 8 have one")
    func calibrationSigns() throws {
        let all = try BarometerCalibration(from: [UInt8](repeating: 0xFF, count: 16))
        #expect([all.c1, all.c2, all.c3, all.c4] == [65535, 65535, 65535, 65535])
        #expect([all.c5, all.c6, all.c7, all.c8] == [-1, -1, -1, -1])
    }

    @Test("The barometer of the CC2650 knows temperatures below zero")
    func bmp280Cold() throws {
        let reading = try BMP280.reading(from: bytes("2efbffcd8b01"))
        #expect(reading == BarometerReading(temperatureCelsius: -12.34, pressurePascals: 101325))
        #expect(reading.pressureHectopascals == 1013.25)
    }

    @Test("The barometer of the CC2650 in both layouts", arguments: ConversionVector.table("bmp280"))
    func bmp280(vector: ConversionVector) throws {
        vector.expect(try BMP280.reading(from: vector.payload).values)
    }
}
