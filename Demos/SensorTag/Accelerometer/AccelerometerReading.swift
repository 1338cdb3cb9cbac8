/// A reading of an accelerometer, axes as the tag sends them.
public struct AccelerometerReading: ThreeAxisReading {
    /// Acceleration along x, in g (9.80665 m/s²).
    public let x: Double
    /// Acceleration along y, in g.
    public let y: Double
    /// Acceleration along z, in g.
    public let z: Double

    /// A reading of three accelerations in g.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}
