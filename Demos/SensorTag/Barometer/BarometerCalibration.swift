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
