/// A reading of the infrared thermometer.
public struct TemperatureReading: Sendable, Hashable {
    /// The temperature of the sensor itself, in degrees Celsius.
    public let ambientCelsius: Double
    /// The temperature of the object in front of the sensor, in degrees Celsius, or nil if it cannot be computed from
    /// the sensor's values.
    public let objectCelsius: Double?

    /// A reading of two temperatures in degrees Celsius.
    public init(ambientCelsius: Double, objectCelsius: Double?) {
        self.ambientCelsius = ambientCelsius
        self.objectCelsius = objectCelsius
    }
}

/// The IR thermometer of the CC2541 SensorTag.
///
/// Data AA01, 4 bytes: object voltage (int16, 156.25 nV), die temperature (int16, 1/128 °C).
/// Source: TI SensorTag User Guide (CC2541), IR temperature sensor, with S0 = 6.4e-14.
public enum TMP006 {
    private static let zeroCelsiusInKelvin = 273.15
    private static let referenceKelvin = 298.15

    /// Decodes one value of AA01.
    ///
    /// - Throws: `wrongLength` unless there are exactly 4 bytes.
    public static func reading(
        from payload: some Collection<UInt8>
    ) throws(SensorTagDataError) -> TemperatureReading {
        let payload = try Payload(payload, of: .temperature, length: .exactly(4))
        let ambient = Double(payload.int16(at: 2)) / 128
        let voltage = Double(payload.int16(at: 0)) * 1.5625e-7
        return TemperatureReading(
            ambientCelsius: ambient,
            objectCelsius: objectCelsius(voltage: voltage, ambientCelsius: ambient)
        )
    }

    /// The object temperature in degrees Celsius, from the sensor's voltage in volts.
    ///
    /// The formula has no solution for a sensitivity that is not positive (ambient below about -172 °C) or for a
    /// strongly negative voltage (below about -0.54 mV at 25 °C): nil.
    private static func objectCelsius(voltage: Double, ambientCelsius: Double) -> Double? {
        let die = ambientCelsius + zeroCelsiusInKelvin
        let delta = die - referenceKelvin
        let sensitivity = 6.4e-14 * (1 + 1.75e-3 * delta - 1.678e-5 * delta * delta)
        guard sensitivity > 0 else { return nil }
        let offset = -2.94e-5 - 5.7e-7 * delta + 4.63e-9 * delta * delta
        let difference = voltage - offset
        let seebeck = difference + 13.4 * difference * difference
        let radicand = die * die * die * die + seebeck / sensitivity
        guard radicand >= 0, radicand.isFinite else { return nil }
        return radicand.squareRoot().squareRoot() - zeroCelsiusInKelvin
    }
}

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
