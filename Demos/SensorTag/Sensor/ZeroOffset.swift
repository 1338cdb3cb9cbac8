/// The zero point of a sensor with three axes, set by the user.
///
/// It remembers the latest value as the sensor sent it, never the corrected one: calibrating twice in the same position
/// gives the same offset twice.
public struct ZeroOffset<Reading: ThreeAxisReading>: Sendable, Hashable {
    /// The latest uncorrected reading, or nil before the first.
    public private(set) var latest: Reading?
    /// What is subtracted from each reading, or nil while not calibrated.
    public private(set) var offset: Reading?

    /// An offset that changes nothing.
    public init() {}

    /// Remembers an uncorrected reading and returns it with the offset subtracted.
    public mutating func correct(_ reading: Reading) -> Reading {
        latest = reading
        guard let offset else { return reading }
        return reading.subtracting(offset)
    }

    /// Makes the latest uncorrected reading the zero point.
    ///
    /// - Returns: false, and nothing changes, if there was no reading yet.
    @discardableResult
    public mutating func calibrate() -> Bool {
        guard let latest else { return false }
        offset = latest
        return true
    }

    /// Forgets the offset and the latest reading.
    public mutating func reset() {
        self = ZeroOffset()
    }
}
