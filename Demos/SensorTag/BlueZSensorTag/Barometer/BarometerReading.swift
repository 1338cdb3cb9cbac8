/// A reading of the barometer.
public struct BarometerReading: Sendable, Hashable {
    /// The temperature of the sensor, in degrees Celsius.
    public let temperatureCelsius: Double
    /// The air pressure in pascal, or nil while the tag has not measured it yet.
    public let pressurePascals: Double?

    /// The air pressure in hectopascal (millibar), or nil while the tag has not measured it yet.
    public var pressureHectopascals: Double? { pressurePascals.map { $0 / 100 } }

    /// A reading of a temperature in degrees Celsius and a pressure in pascal.
    public init(temperatureCelsius: Double, pressurePascals: Double?) {
        self.temperatureCelsius = temperatureCelsius
        self.pressurePascals = pressurePascals
    }
}

/// The barometer of the CC2541 SensorTag.
///
/// Data AA41, 4 bytes: raw temperature (int16), raw pressure (uint16). With the coefficients of AA43:
///
///     °C = c1 t / 2^24 + c2 / 2^10
///     S  = c3 + c4 t / 2^17 + c5 t² / 2^34
///     O  = c6 2^14 + c7 t / 2^3 + c8 t² / 2^19
///     Pa = (S p + O) / 2^14
///
/// Source: TI SensorTag User Guide (CC2541), barometric pressure sensor. Computed in Double: the terms exceed 32 bits.
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

/// The calibration of the CC2541 barometer, AA43.
///
/// 16 bytes: c1 to c4 (uint16 each), c5 to c8 (int16 each). The tag has it only after 2 was written to AA42, and
/// forgets it when the barometer is switched off.
/// Source: TI SensorTag User Guide (CC2541), barometric pressure sensor.
public struct BarometerCalibration: Sendable, Hashable {
    /// Slope of the temperature.
    public let c1: UInt16
    /// Zero point of the temperature.
    public let c2: UInt16
    /// Sensitivity, constant term.
    public let c3: UInt16
    /// Sensitivity, linear in the raw temperature.
    public let c4: UInt16
    /// Sensitivity, quadratic in the raw temperature.
    public let c5: Int16
    /// Offset, constant term.
    public let c6: Int16
    /// Offset, linear in the raw temperature.
    public let c7: Int16
    /// Offset, quadratic in the raw temperature.
    public let c8: Int16

    /// Decodes the value of AA43.
    ///
    /// - Throws: `wrongLength` unless there are exactly 16 bytes; `calibrationNotLoaded` if all of them are zero.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .barometerCalibration, length: .exactly(16))
        guard payload.bytes.contains(where: { $0 != 0 }) else { throw .calibrationNotLoaded }
        c1 = payload.uint16(at: 0)
        c2 = payload.uint16(at: 2)
        c3 = payload.uint16(at: 4)
        c4 = payload.uint16(at: 6)
        c5 = payload.int16(at: 8)
        c6 = payload.int16(at: 10)
        c7 = payload.int16(at: 12)
        c8 = payload.int16(at: 14)
    }
}

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
