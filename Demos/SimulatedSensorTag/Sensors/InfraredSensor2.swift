/// IR temperature of the second generation (TMP007): object and die temperature, each 14 bits of 1/32 °C, two bits to
/// the left.
final class InfraredSensor2: SecondGenerationSensor {
    override func measure(_ world: SensorWorld, at time: Double) -> [UInt8] {
        [world.objectTemperature(at: time), world.temperature(at: time)].flatMap { celsius in
            let steps: Int16 = RawValue.nearest(min(max(celsius, -256), 255.96875) * 32)
            return RawValue.bytes(steps * 4)
        }
    }
}
