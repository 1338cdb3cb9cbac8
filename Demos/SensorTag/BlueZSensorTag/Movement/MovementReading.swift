/// A reading of the movement sensor of the CC2650: three sensors in one notification.
///
/// Groups that are switched off read as zero or as their last value.
public struct MovementReading: Sendable, Hashable {
    /// The gyroscope, in degrees per second.
    public let gyroscope: GyroscopeReading
    /// The accelerometer, in g.
    public let accelerometer: AccelerometerReading
    /// The magnetometer, in microtesla. Its x and y are the accelerometer's y and x; its z is inverted.
    public let magnetometer: MagnetometerReading

    /// A reading of three sensors.
    public init(gyroscope: GyroscopeReading, accelerometer: AccelerometerReading, magnetometer: MagnetometerReading) {
        self.gyroscope = gyroscope
        self.accelerometer = accelerometer
        self.magnetometer = magnetometer
    }
}

/// The movement sensor of the CC2650 SensorTag.
///
/// Data AA81, 18 bytes, nine int16: gyroscope x y z (raw * 500 / 65536 °/s), accelerometer x y z (raw * range / 32768
/// g), magnetometer x y z (raw * 4912 / 32760 µT).
/// Source: TI CC2650 SensorTag User's Guide, movement sensor; the magnetometer's scale from the AK8963 data sheet.
public enum MPU9250 {
    /// The range of the accelerometer. The raw value is the range in g.
    public enum Range: Int, Sendable, Hashable, CaseIterable {
        /// -2 to 2 g.
        case twoG = 2
        /// -4 to 4 g.
        case fourG = 4
        /// -8 to 8 g. The only one that every firmware has.
        case eightG = 8
        /// -16 to 16 g.
        case sixteenG = 16
    }

    /// Decodes one value of AA81 that was measured with `range`.
    ///
    /// - Throws: `wrongLength` unless there are exactly 18 bytes.
    public static func reading(
        from payload: some Collection<UInt8>,
        range: Range
    ) throws(SensorTagDataError) -> MovementReading {
        let payload = try Payload(payload, of: .movement, length: .exactly(18))
        return MovementReading(
            gyroscope: payload.axes(at: 0, scale: 500.0 / 65536),
            accelerometer: payload.axes(at: 6, scale: Double(range.rawValue) / 32768),
            magnetometer: payload.axes(at: 12, scale: 4912.0 / 32760)
        )
    }
}
