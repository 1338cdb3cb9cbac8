/// Barometer of the second generation (BMP280): temperature as int24 and pressure as uint24, in 0.01 °C and Pa (0.01
/// hPa).
final class BarometerSensor2: SecondGenerationSensor {
    override func measure(_ world: SensorWorld, at time: Double) -> [UInt8] {
        let temperature: Int32 = RawValue.nearest(world.temperature(at: time) * 100)
        let pressure: UInt32 = RawValue.nearest(world.pressure(at: time))
        return RawValue.bytes(temperature, count: 3) + RawValue.bytes(pressure, count: 3)
    }
}
