/// The barometer of the CC2541 SensorTag.
///
/// Data AA41, 4 bytes: raw temperature (int16), raw pressure (uint16). With the coefficients of AA43:
///
///     °C = c1 t / 2^24 + c2 / 2^10
///     S  = c3 + c4 t / 2^17 + c5 t² / 2^34
///     O  = c6 2^14 + c7 t / 2^3 + c8 t² / 2^19
///     Pa = (S p + O) / 2^14
///
/// Source: TI SensorTag User Guide (CC2541), barometric pressure sensor. Computed in Double: the terms leave 32 bits.
public enum T5400 {
    /// Decodes one value of AA41.
    ///
    /// A raw pressure of zero gives a reading without pressure: the tag measures temperature and pressure in turn, and
    /// the first value after switching on has no pressure yet.
    ///
    /// - Throws: `wrongLength` unless there are exactly 4 bytes.
    public static func reading(
        from payload: some Collection<UInt8>,
        calibration: BarometerCalibration
    ) throws(SensorTagDataError) -> BarometerReading {
        let payload = try Payload(payload, of: .barometer, length: .exactly(4))
        let temperature = Double(payload.int16(at: 0))
        let pressure = payload.uint16(at: 2)
        return BarometerReading(
            temperatureCelsius: Double(calibration.c1) * temperature / 0x1p24 + Double(calibration.c2) / 0x1p10,
            pressurePascals: pressure == 0
                ? nil : pascals(temperature: temperature, pressure: Double(pressure), calibration: calibration)
        )
    }

    private static func pascals(temperature: Double, pressure: Double, calibration: BarometerCalibration) -> Double {
        let square = temperature * temperature
        let sensitivity =
            Double(calibration.c3) + Double(calibration.c4) * temperature / 0x1p17
            + Double(calibration.c5) * square / 0x1p34
        let offset =
            Double(calibration.c6) * 0x1p14 + Double(calibration.c7) * temperature / 0x1p3
            + Double(calibration.c8) * square / 0x1p19
        return (sensitivity * pressure + offset) / 0x1p14
    }
}
