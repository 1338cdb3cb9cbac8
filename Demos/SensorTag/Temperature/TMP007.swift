/// The IR thermometer of the CC2650 SensorTag. Later boards do not have it.
///
/// Data AA01, 4 bytes: object (int16), ambient (int16). Each is a 14-bit two's complement number in the upper bits, in
/// steps of 0.03125 °C. Bit 0 of the object word says that the object temperature is invalid.
/// Source: TMP007 data sheet. (The user guide's unsigned shift is wrong below 0 °C.)
public enum TMP007 {
    private static let celsiusPerStep = 0.03125
    private static let invalidBit: Int16 = 1

    /// Decodes one value of AA01.
    ///
    /// - Throws: `wrongLength` unless there are exactly 4 bytes.
    public static func reading(
        from payload: some Collection<UInt8>
    ) throws(SensorTagDataError) -> TemperatureReading {
        let payload = try Payload(payload, of: .temperature, length: .exactly(4))
        let object = payload.int16(at: 0)
        return TemperatureReading(
            ambientCelsius: celsius(payload.int16(at: 2)),
            objectCelsius: object & invalidBit == 0 ? celsius(object) : nil
        )
    }

    private static func celsius(_ word: Int16) -> Double {
        Double(word >> 2) * celsiusPerStep
    }
}
