/// The self-test result of the CC2541, AA61: the sensors that passed.
///
/// 2 bytes, uint16, one bit per sensor, 1 = passed. Source: TI SensorTag User Guide (CC2541), test service.
public struct CC2541SelfTest: OptionSet, Sendable, Hashable {
    /// The bits as the tag sends them.
    public let rawValue: UInt16

    /// The result of a set of bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Bit 0: IR temperature.
    public static let temperature = CC2541SelfTest(rawValue: 1 << 0)
    /// Bit 1: humidity.
    public static let humidity = CC2541SelfTest(rawValue: 1 << 1)
    /// Bit 2: magnetometer.
    public static let magnetometer = CC2541SelfTest(rawValue: 1 << 2)
    /// Bit 3: accelerometer.
    public static let accelerometer = CC2541SelfTest(rawValue: 1 << 3)
    /// Bit 4: barometer.
    public static let barometer = CC2541SelfTest(rawValue: 1 << 4)
    /// Bit 5: gyroscope.
    public static let gyroscope = CC2541SelfTest(rawValue: 1 << 5)
    /// Every sensor.
    public static let all: CC2541SelfTest = [
        .temperature, .humidity, .magnetometer, .accelerometer, .barometer, .gyroscope,
    ]

    /// Decodes the value of AA61.
    ///
    /// - Throws: `wrongLength` unless there are exactly 2 bytes.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        self.init(rawValue: try Payload(payload, of: .selfTest, length: .exactly(2)).uint16(at: 0))
    }
}

/// The self-test result of the CC2650, read from AA65 in local or self-test mode: the parts that passed.
///
/// 1 byte, one bit per part, 1 = passed. Source: TI CC2650 SensorTag User's Guide, IO service.
public struct CC2650SelfTest: OptionSet, Sendable, Hashable {
    /// The bits as the tag sends them.
    public let rawValue: UInt8

    /// The result of a set of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bit 0: IR temperature.
    public static let temperature = CC2650SelfTest(rawValue: 1 << 0)
    /// Bit 1: humidity.
    public static let humidity = CC2650SelfTest(rawValue: 1 << 1)
    /// Bit 2: optical.
    public static let optical = CC2650SelfTest(rawValue: 1 << 2)
    /// Bit 3: barometer.
    public static let barometer = CC2650SelfTest(rawValue: 1 << 3)
    /// Bit 4: gyroscope and accelerometer.
    public static let movement = CC2650SelfTest(rawValue: 1 << 4)
    /// Bit 5: magnetometer.
    public static let magnetometer = CC2650SelfTest(rawValue: 1 << 5)
    /// Bit 6: external flash memory.
    public static let flash = CC2650SelfTest(rawValue: 1 << 6)
    /// Every part.
    public static let all = CC2650SelfTest(rawValue: 0x7F)

    /// Decodes the value of AA65.
    ///
    /// - Throws: `wrongLength` unless there is exactly 1 byte.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        self.init(rawValue: try Payload(payload, of: .selfTest, length: .exactly(1)).bytes[0])
    }
}
