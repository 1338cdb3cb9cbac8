import CoreBlueZ
import FoundationEssentials

/// The movement sensor of the CC2650, AA80: MPU-9250, gyroscope, accelerometer and magnetometer in one.
///
/// Data AA81 (18 bytes), configuration AA82 (2 bytes), period AA83 (100 to 2550 ms). Readings are in degrees per
/// second, g and microtesla. Source: TI CC2650 SensorTag User's Guide, movement sensor.
public final class MovementService: SensorService<MovementReading> {
    /// The sensors that measure, and the range; by default everything, ±8 g. It takes effect when the sensor is
    /// switched on.
    ///
    /// Firmware before 1.50 always measures ±8 g: other ranges are not requested there.
    public var configuration = MovementConfiguration.standard

    /// The range of the accelerations. Set when the sensor is switched on.
    public private(set) var range = MPU9250.Range.eightG

    /// The tag sends a value of zeros after every write of the configuration.
    private var isZeroExpected = false
    private static let firstFirmwareWithRanges = FirmwareVersion(major: 1, minor: 50)

    /// Declares the service.
    public init() {
        super.init(name: "movement", offset: 0xAA80)
        addCharacteristic(Self.dataName, offset: 0xAA81)
        addCharacteristic(Self.configurationName, offset: 0xAA82)
        addCharacteristic(Self.periodName, offset: 0xAA83)
    }

    /// The two bytes for the sensors to measure; none means all.
    override public var onConfiguration: Data {
        let isRangeKept = (tag?.firmware).map { $0 >= Self.firstFirmwareWithRanges } ?? false
        range = isRangeKept ? configuration.range : .eightG
        isZeroExpected = true
        let sensors = configuration.sensors.isEmpty ? .all : configuration.sensors
        return Data(MovementConfiguration(sensors: sensors, range: range).bytes)
    }

    /// Two bytes: the tag refuses a single one.
    override public var offConfiguration: Data { Data(MovementConfiguration.offBytes) }

    /// Decodes AA81; nil for the zeros after a write of the configuration.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> MovementReading? {
        let reading = try MPU9250.reading(from: payload, range: range)
        let isZero = payload.allSatisfy { $0 == 0 }
        defer { isZeroExpected = false }
        return isZeroExpected && isZero ? nil : reading
    }
}
