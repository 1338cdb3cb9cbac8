/// The time between two measurements, as the period characteristics code it: AA03, AA13 and so on.
///
/// 1 byte, uint8, in units of 10 ms. Source: TI SensorTag User Guide; minimum and default from the tag's firmware.
public struct SensorPeriod: Sendable, Hashable {
    /// What a sensor accepts, and what it does before a period is written. In milliseconds.
    public struct Limits: Sendable, Hashable {
        /// The shortest and the longest period.
        public let allowed: ClosedRange<Int>
        /// The period after the tag's reset.
        public let defaultMilliseconds: Int

        /// IR temperature: 300 to 2550 ms, default 1000.
        public static let temperature = Limits(allowed: 300...2550, defaultMilliseconds: 1000)
        /// Magnetometer of the CC2541: 100 to 2550 ms, default 2000.
        public static let magnetometer = Limits(allowed: 100...2550, defaultMilliseconds: 2000)
        /// Light sensor: 100 to 2550 ms, default 800.
        public static let optical = Limits(allowed: 100...2550, defaultMilliseconds: 800)
        /// Every other sensor: 100 to 2550 ms, default 1000.
        public static let standard = Limits(allowed: 100...2550, defaultMilliseconds: 1000)
    }

    /// The byte of the period characteristic.
    public let byte: UInt8

    /// The period in milliseconds, 0 to 2550.
    public var milliseconds: Int { Int(byte) * 10 }

    /// The period nearest to `milliseconds`; half steps are rounded up.
    ///
    /// - Throws: `periodOutOfRange` outside of the limits. The tag would refuse it or, with firmware 1.0, ignore it.
    public init(milliseconds: Int, limits: Limits) throws(SensorTagDataError) {
        guard limits.allowed.contains(milliseconds), let byte = UInt8(exactly: (milliseconds + 5) / 10) else {
            throw .periodOutOfRange(milliseconds: milliseconds, allowed: limits.allowed)
        }
        self.byte = byte
    }

    /// Decodes the value of a period characteristic, whatever the limits are: firmware 1.0 keeps what was written.
    ///
    /// - Throws: `wrongLength` unless there is exactly 1 byte.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        byte = try Payload(payload, of: .period, length: .exactly(1)).bytes[0]
    }
}
