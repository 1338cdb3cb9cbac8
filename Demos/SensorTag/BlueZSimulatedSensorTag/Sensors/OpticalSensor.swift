/// Light of the second generation (OPT3001): the low 12 bits count steps of 0.01 lux, shifted left by the high 4 bits.
final class OpticalSensor: SecondGenerationSensor {
    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        RawValue.bytes(Self.raw(lux: environment.illuminance(at: time)))
    }

    static func raw(lux: Double) -> UInt16 {
        var steps = max(0, lux * 100)
        var exponent: UInt16 = 0
        while steps.rounded() > 4095, exponent < 11 {
            steps /= 2
            exponent += 1
        }
        return exponent << 12 | min(4095, RawValue.nearest(steps))
    }
}

extension SensorDesign {
    /// The light sensor of the second generation.
    static let optical = SensorDesign(
        sensor: OpticalSensor.self, service: 0xAA70, name: "Light", length: 2, period: 0xAA73, defaultPeriod: 80)
}
