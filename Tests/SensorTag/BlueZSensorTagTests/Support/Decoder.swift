@testable import BlueZSensorTag

/// A decoder of the library, for the tests that go through all of them.
struct Decoder: Sendable {
    let name: String
    let attribute: SensorTagAttribute
    let lengths: [Int]
    /// Decodes a payload with a calibration for the barometer; the numbers that a program would get.
    let decode: @Sendable ([UInt8], BarometerCalibration) throws(SensorTagDataError) -> [Double?]

    init(
        _ name: String,
        _ attribute: SensorTagAttribute,
        _ lengths: Int...,
        decode: @escaping @Sendable ([UInt8], BarometerCalibration) throws(SensorTagDataError) -> [Double?]
    ) {
        self.name = name
        self.attribute = attribute
        self.lengths = lengths
        self.decode = decode
    }

    /// Every decoder that accepts certain lengths only.
    static let all: [Decoder] = [
        Decoder("TMP006", .temperature, 4) { bytes, _ throws(SensorTagDataError) in
            try TMP006.reading(from: bytes).values
        },
        Decoder("TMP007", .temperature, 4) { bytes, _ throws(SensorTagDataError) in
            try TMP007.reading(from: bytes).values
        },
        Decoder("KXTJ9", .accelerometer, 3) { bytes, _ throws(SensorTagDataError) in
            try KXTJ9.reading(from: bytes, range: .eightG).values
        },
        Decoder("SHT21", .humidity, 4) { bytes, _ throws(SensorTagDataError) in
            try SHT21.reading(from: bytes).values
        },
        Decoder("HDC1000", .humidity, 4) { bytes, _ throws(SensorTagDataError) in
            try HDC1000.reading(from: bytes).values
        },
        Decoder("MAG3110", .magnetometer, 6) { bytes, _ throws(SensorTagDataError) in
            try MAG3110.reading(from: bytes).values
        },
        Decoder("IMU3000", .gyroscope, 6) { bytes, _ throws(SensorTagDataError) in
            try IMU3000.reading(from: bytes).values
        },
        Decoder("T5400", .barometer, 4) { bytes, calibration throws(SensorTagDataError) in
            try T5400.reading(from: bytes, calibration: calibration).values
        },
        Decoder("Barometer calibration", .barometerCalibration, 16) { bytes, _ throws(SensorTagDataError) in
            let calibration = try BarometerCalibration(from: bytes)
            return [Double(calibration.c1), Double(calibration.c8)]
        },
        Decoder("BMP280", .barometer, 6, 4) { bytes, _ throws(SensorTagDataError) in
            let reading = try BMP280.reading(from: bytes)
            return reading.values + [reading.pressureHectopascals]
        },
        Decoder("OPT3001", .optical, 2) { bytes, _ throws(SensorTagDataError) in
            [try OPT3001.reading(from: bytes).lux]
        },
        Decoder("MPU9250", .movement, 18) { bytes, _ throws(SensorTagDataError) in
            try MPU9250.reading(from: bytes, range: .sixteenG).values
        },
        Decoder("Movement configuration", .movementConfiguration, 2) { bytes, _ throws(SensorTagDataError) in
            [Double(try MovementConfiguration(from: bytes).range.rawValue)]
        },
        Decoder("Simple keys", .simpleKeys, 1) { bytes, _ throws(SensorTagDataError) in
            [Double(try SimpleKeys(from: bytes).rawValue)]
        },
        Decoder("CC2541 self-test", .selfTest, 2) { bytes, _ throws(SensorTagDataError) in
            [Double(try CC2541SelfTest(from: bytes).rawValue)]
        },
        Decoder("CC2650 self-test", .selfTest, 1) { bytes, _ throws(SensorTagDataError) in
            [Double(try CC2650SelfTest(from: bytes).rawValue)]
        },
        Decoder("IO mode", .ioMode, 1) { bytes, _ throws(SensorTagDataError) in
            [Double(try IOMode(from: bytes).rawValue)]
        },
        Decoder("Configuration", .configuration, 1) { bytes, _ throws(SensorTagDataError) in
            [try SensorConfiguration(from: bytes) == .off ? 0 : 1]
        },
        Decoder("Period", .period, 1) { bytes, _ throws(SensorTagDataError) in
            [Double(try SensorPeriod(from: bytes).milliseconds)]
        },
        Decoder("Battery level", .batteryLevel, 1) { bytes, _ throws(SensorTagDataError) in
            [Double(try BatteryLevel(from: bytes).percent)]
        },
        Decoder("Connection parameters", .connectionParameters, 6) { bytes, _ throws(SensorTagDataError) in
            try ConnectionParameters(from: bytes).values
        },
        Decoder("System ID", .systemIdentifier, 8) { bytes, _ throws(SensorTagDataError) in
            [Double(try SystemIdentifier(from: bytes).bytes.count)]
        },
        Decoder("PnP ID", .pnpIdentifier, 7) { bytes, _ throws(SensorTagDataError) in
            [Double(try PnPIdentifier(from: bytes).version)]
        },
    ]

    /// What is wrong with a payload that is read as a text, a version, a certificate or an identifier; nil for nothing.
    static func textProblem(_ payload: [UInt8]) -> String? {
        let text = DeviceInformationText.text(from: payload)
        if text.utf8.contains(0) { return "a text with NUL" }
        _ = FirmwareVersion(text)
        _ = SensorTagGeneration(name: text, services: [text], manufacturerData: [0x000D: payload])
        if let certificate = try? RegulatoryCertification(from: payload),
            !certificate.description.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        {
            return "a certificate with control characters"
        }
        if let product = try? PnPIdentifier(from: payload), product.description.isEmpty { return "an empty identifier" }
        return nil
    }

    /// The calibration of a real tag.
    static let calibration = "81b2f863febe4e8d591bc607bff6a615"
}
