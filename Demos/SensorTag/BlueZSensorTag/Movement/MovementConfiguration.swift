/// The configuration of the movement sensor of the CC2650, AA82.
///
/// 2 bytes, uint16: bits 0 to 7 are ``Sensors``, bits 8 and 9 the range of the accelerometer.
/// Source: TI CC2650 SensorTag User's Guide, movement sensor; the order of the axis bits from the MPU-9250 register
/// that the firmware fills with them.
public struct MovementConfiguration: Sendable, Hashable {
    /// The sensors that measure. Empty is off.
    public struct Sensors: OptionSet, Sendable, Hashable {
        /// The lower byte of AA82.
        public let rawValue: UInt8

        /// The sensors of a lower byte of AA82.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bit 0: gyroscope z.
        public static let gyroscopeZ = Sensors(rawValue: 1 << 0)
        /// Bit 1: gyroscope y.
        public static let gyroscopeY = Sensors(rawValue: 1 << 1)
        /// Bit 2: gyroscope x.
        public static let gyroscopeX = Sensors(rawValue: 1 << 2)
        /// Bit 3: accelerometer z.
        public static let accelerometerZ = Sensors(rawValue: 1 << 3)
        /// Bit 4: accelerometer y.
        public static let accelerometerY = Sensors(rawValue: 1 << 4)
        /// Bit 5: accelerometer x.
        public static let accelerometerX = Sensors(rawValue: 1 << 5)
        /// Bit 6: magnetometer, all axes.
        public static let magnetometer = Sensors(rawValue: 1 << 6)
        /// Bit 7: notify only around a motion. Not part of ``all``.
        public static let wakeOnMotion = Sensors(rawValue: 1 << 7)

        /// Gyroscope, all axes.
        public static let gyroscope: Sensors = [.gyroscopeX, .gyroscopeY, .gyroscopeZ]
        /// Accelerometer, all axes.
        public static let accelerometer: Sensors = [.accelerometerX, .accelerometerY, .accelerometerZ]
        /// Gyroscope, accelerometer and magnetometer.
        public static let all: Sensors = [.gyroscope, .accelerometer, .magnetometer]
    }

    /// The sensors that measure.
    public var sensors: Sensors
    /// The range of the accelerometer. Firmware of 2015 always measures ±8 g, even if another range was written.
    public var range: MPU9250.Range

    /// All sensors at ±8 g (0x027F): the same on every firmware.
    public static let standard = MovementConfiguration(sensors: .all, range: .eightG)

    /// A configuration.
    public init(sensors: Sensors, range: MPU9250.Range) {
        self.sensors = sensors
        self.range = range
    }

    /// Decodes a value read from AA82. Bits 10 to 15 are ignored.
    ///
    /// - Throws: `wrongLength` unless there are exactly 2 bytes.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .movementConfiguration, length: .exactly(2))
        sensors = Sensors(rawValue: payload.bytes[0])
        range =
            switch payload.bytes[1] & 0b11 {
            case 0: .twoG
            case 1: .fourG
            case 2: .eightG
            default: .sixteenG
            }
    }

    /// The two bytes to write to AA82, low byte first.
    public var bytes: [UInt8] {
        let rangeBits: UInt8 =
            switch range {
            case .twoG: 0
            case .fourG: 1
            case .eightG: 2
            case .sixteenG: 3
            }
        return [sensors.rawValue, rangeBits]
    }

    /// The two bytes that switch the movement sensor off.
    public static let offBytes: [UInt8] = [0, 0]
}
