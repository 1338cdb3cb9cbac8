/// The humidity sensor of the CC2650 SensorTag.
///
/// Data AA21, 4 bytes: temperature (uint16), humidity (uint16, the two lowest bits are ignored).
/// Source: TI CC2650 SensorTag User's Guide, humidity sensor; HDC1000 data sheet.
public enum HDC1000 {
    private static let statusBits: UInt16 = 0b11

    /// Decodes one value of AA21.
    ///
    /// - Throws: `wrongLength` unless there are exactly 4 bytes; `invalidMeasurement` if all bytes are 0x00 or all are
    ///   0xFF, which tags send when the sensor did not answer.
    public static func reading(
        from payload: some Collection<UInt8>
    ) throws(SensorTagDataError) -> HumidityReading {
        let payload = try Payload(payload, of: .humidity, length: .exactly(4))
        let temperature = payload.uint16(at: 0)
        let humidity = payload.uint16(at: 2)
        guard temperature != humidity || (temperature != 0x0000 && temperature != 0xFFFF) else {
            throw .invalidMeasurement(.humidity)
        }
        return HumidityReading(
            temperatureCelsius: Double(temperature) * 165 / 65536 - 40,
            relativeHumidityPercent: Double(humidity & ~statusBits) * 100 / 65536
        )
    }
}
