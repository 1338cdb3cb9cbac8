/// The barometer of the CC2650 SensorTag. It needs no calibration.
///
/// Data AA41, 6 bytes: temperature (int24, 0.01 °C), pressure (uint24, Pa). Firmware 0.89 sends 4 bytes: temperature
/// and pressure (uint16 each), mantissa in the lower 12 bits and exponent of two in the upper 4, in the same units.
/// Source: TI CC2650 SensorTag User's Guide, barometric pressure sensor; the sign of the temperature from firmware
/// 1.50.
public enum BMP280 {
    /// Decodes one value of AA41.
    ///
    /// A raw pressure of zero gives a reading without pressure: the tag sends it while the sensor is off.
    ///
    /// - Throws: `wrongLength` unless there are exactly 6 or 4 bytes.
    public static func reading(
        from payload: some Collection<UInt8>
    ) throws(SensorTagDataError) -> BarometerReading {
        let payload = try Payload(payload, of: .barometer, length: .either(6, 4))
        return if payload.bytes.count == 6 {
            reading(
                centidegrees: Double(payload.int24(at: 0)),
                pascals: Double(payload.uint24(at: 3))
            )
        } else {
            reading(
                centidegrees: Double(MantissaExponent(payload.uint16(at: 0)).value),
                pascals: Double(MantissaExponent(payload.uint16(at: 2)).value)
            )
        }
    }

    private static func reading(centidegrees: Double, pascals: Double) -> BarometerReading {
        BarometerReading(temperatureCelsius: centidegrees / 100, pressurePascals: pascals == 0 ? nil : pascals)
    }
}
