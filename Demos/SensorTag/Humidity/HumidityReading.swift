/// A reading of the humidity sensor.
public struct HumidityReading: Sendable, Hashable {
    /// The temperature of the sensor, in degrees Celsius.
    public let temperatureCelsius: Double
    /// Relative humidity in percent, as the formula gives it: the SHT21 can leave 0 to 100 (from -6 to 119).
    public let relativeHumidityPercent: Double

    /// Relative humidity in percent, limited to 0 to 100 for display.
    public var displayedHumidityPercent: Double { min(max(relativeHumidityPercent, 0), 100) }

    /// A reading of a temperature in degrees Celsius and a relative humidity in percent.
    public init(temperatureCelsius: Double, relativeHumidityPercent: Double) {
        self.temperatureCelsius = temperatureCelsius
        self.relativeHumidityPercent = relativeHumidityPercent
    }
}
