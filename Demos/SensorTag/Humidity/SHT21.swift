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
