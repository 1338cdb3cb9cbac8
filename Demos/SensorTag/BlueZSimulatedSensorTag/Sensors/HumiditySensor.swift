/// Humidity of the first generation (SHT21): uint16 temperature, uint16 humidity, both with two status bits at the
/// bottom.
final class HumiditySensor: Sensor {
    /// The status that marks a humidity, not a temperature.
    private static let isHumidity: UInt16 = 0b10

    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        let temperature: UInt16 = RawValue.nearest((environment.temperature(at: time) + 46.85) / 175.72 * 65536)
        let humidity: UInt16 = RawValue.nearest((environment.humidity(at: time) + 6) / 125 * 65536)
        return RawValue.bytes(temperature & ~0b11) + RawValue.bytes(humidity & ~0b11 | Self.isHumidity)
    }
}

/// Humidity of the second generation (HDC1000): uint16 temperature, 65536 for 165 °C from -40 °C, and uint16 humidity,
/// 65536 for 100 %, its two lowest bits zero.
final class HumiditySensor2: SecondGenerationSensor {
    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        let temperature: UInt16 = RawValue.nearest((environment.temperature(at: time) + 40) / 165 * 65536)
        let humidity: UInt16 = RawValue.nearest(environment.humidity(at: time) / 100 * 65536)
        return RawValue.bytes(temperature) + RawValue.bytes(humidity & ~0b11)
    }
}

extension SensorDesign {
    /// The humidity sensor of both generations.
    static func humidity(_ model: SensorTagModel) -> SensorDesign {
        SensorDesign(
            sensor: model.isFirstGeneration ? HumiditySensor.self : HumiditySensor2.self,
            service: 0xAA20, name: "Humid.", length: 4, period: model.hasOldFirmware ? nil : 0xAA23,
            measuring: model.isFirstGeneration ? .milliseconds(40) : .zero)
    }
}
