/// A reading of the light sensor.
public struct OpticalReading: Sendable, Hashable {
    /// Illuminance in lux, 0 to 83865.60.
    public let lux: Double

    /// A reading in lux.
    public init(lux: Double) {
        self.lux = lux
    }
}

/// The light sensor of the CC2650 SensorTag.
///
/// Data AA71, 2 bytes: uint16, mantissa in the lower 12 bits and exponent of two in the upper 4, in steps of 0.01 lux.
/// Source: TI CC2650 SensorTag User's Guide, optical sensor; OPT3001 data sheet (exponents 0 to 11).
public enum OPT3001 {
    private static let largestExponent: UInt32 = 11

    /// Decodes one value of AA71.
    ///
    /// - Throws: `wrongLength` unless there are exactly 2 bytes; `invalidMeasurement` for the exponents 12 to 15, which
    ///   the sensor does not have.
    public static func reading(
        from payload: some Collection<UInt8>
    ) throws(SensorTagDataError) -> OpticalReading {
        let payload = try Payload(payload, of: .optical, length: .exactly(2))
        let number = MantissaExponent(payload.uint16(at: 0))
        guard number.exponent <= largestExponent else { throw .invalidMeasurement(.optical) }
        return OpticalReading(lux: Double(number.value) / 100)
    }
}
