/// One snapshot of a sensor with three axes. The three values come from one notification.
public protocol ThreeAxisReading: Sendable, Hashable {
    /// The value along x, in the reading's unit.
    var x: Double { get }
    /// The value along y, in the reading's unit.
    var y: Double { get }
    /// The value along z, in the reading's unit.
    var z: Double { get }
    /// A reading of three values in the reading's unit.
    init(x: Double, y: Double, z: Double)
}

extension ThreeAxisReading {
    /// The length of the vector, in the reading's unit.
    public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }

    /// This reading minus `offset`, axis by axis.
    public func subtracting(_ offset: Self) -> Self {
        Self(x: x - offset.x, y: y - offset.y, z: z - offset.z)
    }
}
