@testable import BlueZSensorTag

extension TemperatureReading {
    var values: [Double?] { [ambientCelsius, objectCelsius] }
}

extension HumidityReading {
    var values: [Double?] { [temperatureCelsius, relativeHumidityPercent] }
}

extension BarometerReading {
    var values: [Double?] { [temperatureCelsius, pressurePascals] }
}

extension ThreeAxisReading {
    var values: [Double?] { [x, y, z] }
}

extension MovementReading {
    var values: [Double?] { gyroscope.values + accelerometer.values + magnetometer.values }
}

extension ConnectionParameters {
    var values: [Double?] { [intervalMilliseconds, Double(latency), Double(supervisionTimeoutMilliseconds)] }
}
