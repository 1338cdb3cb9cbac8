/// A reading of a gyroscope, axes as the tag sends them.
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
