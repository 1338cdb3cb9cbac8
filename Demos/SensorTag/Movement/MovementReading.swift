/// A reading of the movement sensor of the CC2650: three sensors in one notification.
///
/// Groups that are switched off read as zero or as their last value.
public struct MovementReading: Sendable, Hashable {
    /// The gyroscope, in degrees per second.
    public let gyroscope: GyroscopeReading
    /// The accelerometer, in g.
    public let accelerometer: AccelerometerReading
    /// The magnetometer, in microtesla. Its x and y are the accelerometer's y and x, its z is the other way round.
    public let magnetometer: MagnetometerReading

    /// A reading of three sensors.
    public init(gyroscope: GyroscopeReading, accelerometer: AccelerometerReading, magnetometer: MagnetometerReading) {
        self.gyroscope = gyroscope
        self.accelerometer = accelerometer
        self.magnetometer = magnetometer
    }
}
