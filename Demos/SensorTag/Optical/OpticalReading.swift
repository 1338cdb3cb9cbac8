/// A reading of the light sensor.
public struct OpticalReading: Sendable, Hashable {
    /// Illuminance in lux, 0 to 83865.60.
    public let lux: Double

    /// A reading in lux.
    public init(lux: Double) {
        self.lux = lux
    }
}
