/// A reading of the barometer.
public struct BarometerReading: Sendable, Hashable {
    /// The temperature of the sensor, in degrees Celsius.
    public let temperatureCelsius: Double
    /// The air pressure in pascal, or nil while the tag has not measured it yet.
    public let pressurePascals: Double?

    /// The air pressure in hectopascal (millibar), or nil while the tag has not measured it yet.
    public var pressureHectopascals: Double? { pressurePascals.map { $0 / 100 } }

    /// A reading of a temperature in degrees Celsius and a pressure in pascal.
    public init(temperatureCelsius: Double, pressurePascals: Double?) {
        self.temperatureCelsius = temperatureCelsius
        self.pressurePascals = pressurePascals
    }
}
