import Glibc

/// IR temperature of the first generation (TMP006): int16 object voltage of 156.25 nV, int16 die temperature of 1/128
/// °C.
final class TemperatureSensor: Sensor {
    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        let ambient: Int16 = RawValue.nearest(environment.temperature(at: time) * 128)
        let voltage = Self.voltage(object: environment.objectTemperature(at: time), die: Double(ambient) / 128)
        return RawValue.bytes(RawValue.nearest(voltage / 156.25e-9) as Int16) + RawValue.bytes(ambient)
    }

    /// The thermopile's voltage in V for temperatures in °C (TI SBOU107, chapter 5, solved for the voltage).
    static func voltage(object: Double, die: Double) -> Double {
        let offCenter = die - 25
        let sensitivity = 6.4e-14 * (1 + offCenter * (1.75e-3 - 1.678e-5 * offCenter))
        let offset = -2.94e-5 + offCenter * (-5.7e-7 + 4.63e-9 * offCenter)
        let radiated = sensitivity * (pow(object + 273.15, 4) - pow(die + 273.15, 4))
        // radiated = x + 13.4 x² with x the voltage above the offset
        let curvature = 13.4
        return offset + (sqrt(1 + 4 * curvature * radiated) - 1) / (2 * curvature)
    }
}

/// IR temperature of the second generation (TMP007): object and die temperature, each 14 bits of 1/32 °C, two bits to
/// the left.
final class TemperatureSensor2: SecondGenerationSensor {
    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        [environment.objectTemperature(at: time), environment.temperature(at: time)].flatMap { celsius in
            let steps: Int16 = RawValue.nearest(min(max(celsius, -256), 255.96875) * 32)
            return RawValue.bytes(steps * 4)
        }
    }
}

extension SensorDesign {
    /// The infrared thermometer of both generations.
    static func temperature(_ model: SensorTagModel) -> SensorDesign {
        SensorDesign(
            sensor: model.isFirstGeneration ? TemperatureSensor.self : TemperatureSensor2.self,
            service: 0xAA00, name: "IR Temp.", length: 4, period: model.hasOldFirmware ? nil : 0xAA03,
            minimumPeriod: 30, isSlowToStart: true)
    }
}
