/// Humidity of the first generation (SHT21): uint16 temperature, uint16 humidity, both with two status bits at the
/// bottom.
final class HumiditySensor: Sensor {
    /// The status that marks a humidity, not a temperature.
    private static let isHumidity: UInt16 = 0b10

    override func measure(_ world: SensorWorld, at time: Double) -> [UInt8] {
        let temperature: UInt16 = RawValue.nearest((world.temperature(at: time) + 46.85) / 175.72 * 65536)
        let humidity: UInt16 = RawValue.nearest((world.humidity(at: time) + 6) / 125 * 65536)
        return RawValue.bytes(temperature & ~0b11) + RawValue.bytes(humidity & ~0b11 | Self.isHumidity)
    }
}
