/// A reading of a magnetometer, with the axes as the tag sends them.
public struct MagnetometerReading: ThreeAxisReading {
    /// Magnetic flux density along x, in microtesla.
    public let x: Double
    /// Magnetic flux density along y, in microtesla.
    public let y: Double
    /// Magnetic flux density along z, in microtesla.
    public let z: Double

    /// A reading of three flux densities in microtesla.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// The magnetometer of the CC2541 SensorTag.
///
/// Data AA31, 6 bytes: x, y, z (int16 each), µT = raw * 2000 / 65536. Source: TI SensorTag User Guide (CC2541),
/// magnetometer. The data sheet of the sensor gives 0.1 µT per step, 3.28 times as much; the guide's formula is used
/// because every other program shows its values.
public enum MAG3110 {
    /// Decodes one value of AA31.
    ///
    /// - Throws: `wrongLength` unless there are exactly 6 bytes.
    public static func reading(
        from payload: some Collection<UInt8>
    ) throws(SensorTagDataError) -> MagnetometerReading {
        try Payload(payload, of: .magnetometer, length: .exactly(6)).axes(at: 0, scale: 2000.0 / 65536)
    }
}
