/// A reading of the infrared thermometer.
public struct TemperatureReading: Sendable, Hashable {
    /// The temperature of the sensor itself, in degrees Celsius.
    public let ambientCelsius: Double
    /// The temperature of the object in front of the sensor, in degrees Celsius, or nil if the sensor's values give
    /// none.
    public let objectCelsius: Double?

    /// A reading of two temperatures in degrees Celsius.
    public init(ambientCelsius: Double, objectCelsius: Double?) {
        self.ambientCelsius = ambientCelsius
        self.objectCelsius = objectCelsius
    }
}
