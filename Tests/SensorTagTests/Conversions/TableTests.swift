import Testing

@testable import SensorTag

@Suite("Conversions agree with values computed from the documents")
struct TableTests {
    @Test("The IR thermometer of the CC2541", arguments: ConversionVector.tmp006)
    func tmp006(vector: ConversionVector) throws {
        vector.expect(try TMP006.reading(from: vector.payload).values)
    }

    @Test("The IR thermometer of the CC2650", arguments: ConversionVector.tmp007)
    func tmp007(vector: ConversionVector) throws {
        vector.expect(try TMP007.reading(from: vector.payload).values)
    }

    @Test("The accelerometer of the CC2541 in every range", arguments: ConversionVector.kxtj9)
    func kxtj9(vector: ConversionVector) throws {
        let range = try #require(KXTJ9.Range(rawValue: vector.range))
        vector.expect(try KXTJ9.reading(from: vector.payload, range: range).values)
    }

    @Test("The humidity sensor of the CC2541", arguments: ConversionVector.sht21)
    func sht21(vector: ConversionVector) throws {
        vector.expect(try SHT21.reading(from: vector.payload).values)
    }

    @Test("The humidity sensor of the CC2650", arguments: ConversionVector.hdc1000)
    func hdc1000(vector: ConversionVector) throws {
        vector.expect(try HDC1000.reading(from: vector.payload).values)
    }

    @Test("The magnetometer of the CC2541", arguments: ConversionVector.mag3110)
    func mag3110(vector: ConversionVector) throws {
        vector.expect(try MAG3110.reading(from: vector.payload).values)
    }

    @Test("The gyroscope of the CC2541", arguments: ConversionVector.imu3000)
    func imu3000(vector: ConversionVector) throws {
        vector.expect(try IMU3000.reading(from: vector.payload).values)
    }

    @Test("The barometer of the CC2541 with real, extreme and random calibrations", arguments: ConversionVector.t5400)
    func t5400(vector: ConversionVector) throws {
        let calibration = try BarometerCalibration(from: vector.calibration)
        vector.expect(try T5400.reading(from: vector.payload, calibration: calibration).values)
    }

    @Test("The barometer of the CC2650 in both layouts", arguments: ConversionVector.bmp280)
    func bmp280(vector: ConversionVector) throws {
        vector.expect(try BMP280.reading(from: vector.payload).values)
    }

    @Test("The light sensor of the CC2650", arguments: ConversionVector.opt3001)
    func opt3001(vector: ConversionVector) throws {
        vector.expect([try OPT3001.reading(from: vector.payload).lux])
    }

    @Test("The movement sensor of the CC2650 in every range", arguments: ConversionVector.mpu9250)
    func mpu9250(vector: ConversionVector) throws {
        let range = try #require(MPU9250.Range(rawValue: vector.range))
        vector.expect(try MPU9250.reading(from: vector.payload, range: range).values)
    }

    @Test("The connection parameters", arguments: ConversionVector.connectionParameters)
    func connectionParameters(vector: ConversionVector) throws {
        vector.expect(try ConnectionParameters(from: vector.payload).values)
    }

    @Test("The battery level", arguments: ConversionVector.batteryLevel)
    func batteryLevel(vector: ConversionVector) throws {
        vector.expect([Double(try BatteryLevel(from: vector.payload).percent)])
    }

    @Test("The period byte", arguments: ConversionVector.period)
    func period(vector: ConversionVector) throws {
        vector.expect([Double(try SensorPeriod(from: vector.payload).milliseconds)])
    }
}
