import Testing

@testable import SensorTag

@Suite("Known payloads of real tags")
struct GuideVectorTests {
    @Test("The IR thermometer of the CC2541")
    func tmp006() throws {
        ConversionVector("b8ff600d", [26.75, 29.475899944]).expect(try TMP006.reading(from: bytes("b8ff600d")).values)
        let cold = try TMP006.reading(from: bytes("88f2800c"))
        #expect(cold == TemperatureReading(ambientCelsius: 25, objectCelsius: nil))
    }

    @Test("The accelerometer of the CC2541 at ±2 g, without a bias")
    func kxtj9() throws {
        let reading = try KXTJ9.reading(from: bytes("fb3fc1"), range: .twoG)
        #expect(reading == AccelerometerReading(x: -0.078125, y: 0.984375, z: -0.984375))
        let zero = try KXTJ9.reading(from: [0, 0, 0], range: .twoG)
        #expect(zero == AccelerometerReading(x: 0, y: 0, z: 0))
    }

    @Test("The humidity sensor of the CC2541")
    func sht21() throws {
        let vector = ConversionVector("40687668", [24.707851563, 45.002502441])
        vector.expect(try SHT21.reading(from: vector.payload).values)
    }

    @Test("The temperature of the humidity sensor has no sign, so that 41.01 °C does not become -134.71")
    func sht21Warm() throws {
        let reading = try SHT21.reading(from: bytes("00800060"))
        #expect(abs(reading.temperatureCelsius - 41.01) < 1e-9)
    }

    @Test("The magnetometer of the CC2541")
    func mag3110() throws {
        let vector = ConversionVector("79f77c07e704", [-66.619873047, 58.471679688, 38.299560547])
        vector.expect(try MAG3110.reading(from: vector.payload).values)
    }

    @Test(
        "The barometer of the CC2541, also where 32-bit arithmetic overflows",
        arguments: [
            ConversionVector("d9f6cb84", calibration: Decoder.calibration, [18.610433161, 102148.513695483]),
            ConversionVector("ffffffff", calibration: Decoder.calibration, [24.989463747, 197561.929897355]),
        ])
    func t5400(vector: ConversionVector) throws {
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

    @Test("The gyroscope of the CC2541, axes as sent")
    func imu3000() throws {
        let vector = ConversionVector("e8ff25ffe9ff", [-0.183105469, -1.670837402, -0.175476074])
        vector.expect(try IMU3000.reading(from: vector.payload).values)
    }

    @Test("The IR thermometer of the CC2650, hot, cold and invalid")
    func tmp007() throws {
        let hot = try TMP007.reading(from: bytes("004b803e"))
        #expect(hot == TemperatureReading(ambientCelsius: 125, objectCelsius: 150))
        let cold = try TMP007.reading(from: bytes("fcfffcff"))
        #expect(cold == TemperatureReading(ambientCelsius: -0.03125, objectCelsius: -0.03125))
        let invalid = try TMP007.reading(from: bytes("014b803e"))
        #expect(invalid == TemperatureReading(ambientCelsius: 125, objectCelsius: nil))
    }

    @Test("The light sensor of the CC2650")
    func opt3001() throws {
        #expect(try OPT3001.reading(from: bytes("5634")).lux == 88.80)
        #expect(try OPT3001.reading(from: bytes("ffbf")).lux == 83865.60)
    }

    @Test("An exponent that the light sensor does not have is no measurement", arguments: [0xC0, 0xD0, 0xE0, 0xFF])
    func opt3001Invalid(high: UInt8) {
        #expect(throws: SensorTagDataError.invalidMeasurement(.optical)) {
            try OPT3001.reading(from: [0xFF, high])
        }
    }

    @Test("A humidity sensor of the CC2650 that did not answer is no measurement", arguments: ["00000000", "ffffffff"])
    func hdc1000Invalid(payload: String) {
        #expect(throws: SensorTagDataError.invalidMeasurement(.humidity)) {
            try HDC1000.reading(from: bytes(payload))
        }
    }

    @Test("The barometer of the CC2650 knows temperatures below zero")
    func bmp280() throws {
        let reading = try BMP280.reading(from: bytes("2efbffcd8b01"))
        #expect(reading == BarometerReading(temperatureCelsius: -12.34, pressurePascals: 101325))
        #expect(reading.pressureHectopascals == 1013.25)
    }

    @Test("Humidity for display stays within 0 to 100 percent")
    func displayedHumidity() throws {
        #expect(try SHT21.reading(from: [0, 0, 0, 0]).displayedHumidityPercent == 0)
        #expect(try SHT21.reading(from: [0, 0, 0xFF, 0xFF]).displayedHumidityPercent == 100)
        #expect(HumidityReading(temperatureCelsius: 20, relativeHumidityPercent: 45).displayedHumidityPercent == 45)
    }
}
