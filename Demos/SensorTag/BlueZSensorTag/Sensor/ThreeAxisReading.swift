/// One snapshot of a sensor with three axes. The three values come from one notification.
public protocol ThreeAxisReading: Sendable, Hashable {
    /// The value along x, in the reading's unit.
    var x: Double { get }
    /// The value along y, in the reading's unit.
    var y: Double { get }
    /// The value along z, in the reading's unit.
    var z: Double { get }
    /// A reading of three values in the reading's unit.
    init(x: Double, y: Double, z: Double)
}

extension ThreeAxisReading {
    /// The length of the vector, in the reading's unit.
    public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }

    /// This reading minus `offset`, axis by axis.
    public func subtracting(_ offset: Self) -> Self {
        Self(x: x - offset.x, y: y - offset.y, z: z - offset.z)
    }
}

/// The zero point of a sensor with three axes, set by the user.
///
/// It remembers the latest raw value, never the corrected one: calibrating twice in the same position gives the same
/// offset twice.
public struct ZeroOffset<Reading: ThreeAxisReading>: Sendable, Hashable {
    /// The latest uncorrected reading, or nil before the first.
    public private(set) var latest: Reading?
    /// The offset that is subtracted from each reading, or nil while not calibrated.
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
    /// - Returns: false if nothing was changed, because there was no reading yet.
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
