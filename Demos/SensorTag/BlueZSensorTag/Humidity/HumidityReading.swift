/// A reading of the humidity sensor.
public struct HumidityReading: Sendable, Hashable {
    /// The temperature of the sensor, in degrees Celsius.
    public let temperatureCelsius: Double
    /// Relative humidity in percent, by the formula: the SHT21 can exceed 0 to 100 (from -6 to 119).
    public let relativeHumidityPercent: Double

    /// Relative humidity in percent, limited to 0 to 100 for display.
    public var displayedHumidityPercent: Double { min(max(relativeHumidityPercent, 0), 100) }

    /// A reading of a temperature in degrees Celsius and a relative humidity in percent.
    public init(temperatureCelsius: Double, relativeHumidityPercent: Double) {
        self.temperatureCelsius = temperatureCelsius
        self.relativeHumidityPercent = relativeHumidityPercent
    }
}

/// The humidity sensor of the CC2541 SensorTag.
///
/// Data AA21, 4 bytes: temperature (uint16), humidity (uint16, the two lowest bits are status and are ignored).
/// Source: TI SensorTag User Guide (CC2541), humidity sensor; SHT21 data sheet.
public enum SHT21 {
    private static let statusBits: UInt16 = 0b11

    /// Decodes one value of AA21.
    ///
    /// - Throws: `wrongLength` unless there are exactly 4 bytes.
    public static func reading(
        from payload: some Collection<UInt8>
    ) throws(SensorTagDataError) -> HumidityReading {
        let payload = try Payload(payload, of: .humidity, length: .exactly(4))
        return HumidityReading(
            temperatureCelsius: -46.85 + 175.72 * Double(payload.uint16(at: 0)) / 65536,
            relativeHumidityPercent: -6 + 125 * Double(payload.uint16(at: 2) & ~statusBits) / 65536
        )
    }
}

/// The humidity sensor of the CC2650 SensorTag.
///
/// Data AA21, 4 bytes: temperature (uint16), humidity (uint16, the two lowest bits are ignored).
/// Source: TI CC2650 SensorTag User's Guide, humidity sensor; HDC1000 data sheet.
public enum HDC1000 {
    private static let statusBits: UInt16 = 0b11

    /// Decodes one value of AA21.
    ///
    /// - Throws: `wrongLength` unless there are exactly 4 bytes; `invalidMeasurement` if either word is 0xFFFF, or both
    ///   are 0, which tags send if the sensor did not respond. A measurement of 14 bits is never 0xFFFF.
    public static func reading(
        from payload: some Collection<UInt8>
    ) throws(SensorTagDataError) -> HumidityReading {
        let payload = try Payload(payload, of: .humidity, length: .exactly(4))
        let temperature = payload.uint16(at: 0)
        let humidity = payload.uint16(at: 2)
        guard temperature != 0xFFFF, humidity != 0xFFFF, temperature != 0 || humidity != 0 else {
            throw .invalidMeasurement(.humidity)
        }
        return HumidityReading(
            temperatureCelsius: Double(temperature) * 165 / 65536 - 40,
            relativeHumidityPercent: Double(humidity & ~statusBits) * 100 / 65536
        )
    }
}
