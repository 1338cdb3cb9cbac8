/// A reading of a magnetometer, axes as the tag sends them.
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
