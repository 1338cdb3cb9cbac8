import CoreBlueZ
import FoundationEssentials

/// The gyroscope of the CC2541, AA50: IMU-3000.
///
/// Data AA51 (6 bytes), configuration AA52 (one bit per axis), period AA53 (from firmware 1.4; 100 to 2550 ms).
/// Readings are in degrees per second, minus the zero point that `calibrate` has set. Source: TI SensorTag User Guide
/// (CC2541), gyroscope.
public final class GyroscopeService: SensorService<GyroscopeReading> {
    /// The axes to measure, by default all. They take effect when the sensor is switched on; none means all.
    public var axes = IMU3000.Axes.all

    /// The zero point, and the last raw value. Discarded when the link ends or the sensor is switched off.
    public private(set) var zero = ZeroOffset<GyroscopeReading>()

    /// Declares the service.
    public init() {
        super.init(name: "gyroscope", offset: 0xAA50)
        addCharacteristic(Self.dataName, offset: 0xAA51)
        addCharacteristic(Self.configurationName, offset: 0xAA52)
        addCharacteristic(Self.periodName, offset: 0xAA53)
    }

    /// The bits of the axes.
    override public var onConfiguration: Data {
        let measured = axes.intersection(.all)
        return Data([(measured.isEmpty ? .all : measured).rawValue])
    }

    /// Makes the last value the zero point; the tag must be at rest. Repeating it at rest changes nothing.
    ///
    /// - Returns: false if nothing was changed, because there was no value yet.
    @discardableResult
    public func calibrate() -> Bool { zero.calibrate() }

    /// Decodes AA51 and subtracts the zero point.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> GyroscopeReading? {
        zero.correct(try IMU3000.reading(from: payload))
    }

    /// Discards the zero point too.
    override public func reset() {
        super.reset()
        zero.reset()
    }
}
