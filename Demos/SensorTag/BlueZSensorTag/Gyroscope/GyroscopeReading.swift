/// A reading of a gyroscope, with the axes as the tag sends them.
public struct GyroscopeReading: ThreeAxisReading {
    /// Rotation around x, in degrees per second.
    public let x: Double
    /// Rotation around y, in degrees per second.
    public let y: Double
    /// Rotation around z, in degrees per second.
    public let z: Double

    /// A reading of three rotations in degrees per second.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// The gyroscope of the CC2541 SensorTag.
///
/// Data AA51, 6 bytes: x, y, z (int16 each), °/s = raw * 500 / 65536.
/// Source: TI SensorTag User Guide (CC2541), gyroscope; the axis bits are those of the tag's firmware.
public enum IMU3000 {
    /// The configuration byte AA52: which axes are measured. Empty is off.
    public struct Axes: OptionSet, Sendable, Hashable {
        /// The byte for AA52.
        public let rawValue: UInt8

        /// The axes of a byte of AA52.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bit 0: x.
        public static let x = Axes(rawValue: 1)
        /// Bit 1: y.
        public static let y = Axes(rawValue: 2)
        /// Bit 2: z.
        public static let z = Axes(rawValue: 4)
        /// All three axes: 7.
        public static let all: Axes = [.x, .y, .z]
    }

    /// Decodes one value of AA51.
    ///
    /// - Throws: `wrongLength` unless there are exactly 6 bytes.
    public static func reading(
        from payload: some Collection<UInt8>
    ) throws(SensorTagDataError) -> GyroscopeReading {
        try Payload(payload, of: .gyroscope, length: .exactly(6)).axes(at: 0, scale: 500.0 / 65536)
    }
}
