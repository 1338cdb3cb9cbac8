/// Humidity of the second generation (HDC1000): uint16 temperature, 65536 for 165 °C from -40 °C, and uint16 humidity,
/// 65536 for 100 %, its two lowest bits zero.
final class HumiditySensor2: SecondGenerationSensor {
    override func measure(_ world: SensorWorld, at time: Double) -> [UInt8] {
        let temperature: UInt16 = RawValue.nearest((world.temperature(at: time) + 40) / 165 * 65536)
        let humidity: UInt16 = RawValue.nearest(world.humidity(at: time) / 100 * 65536)
        return RawValue.bytes(temperature) + RawValue.bytes(humidity & ~0b11)
    }
}
