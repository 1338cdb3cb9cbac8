/// Why bytes of a SensorTag are not a value, or why a value cannot be written.
public enum SensorTagDataError: Error, Sendable, Hashable {
    /// The value has another length than the attribute's layout. Lengths are in bytes.
    case wrongLength(SensorTagAttribute, expected: ExpectedLength, actual: Int)
    /// The barometer calibration is all zero: the tag has not loaded it. Write 2 to the barometer's configuration
    /// first.
    case calibrationNotLoaded
    /// The length is right, but the sensor marks these bytes as no measurement.
    case invalidMeasurement(SensorTagAttribute)
    /// The byte has no meaning for this attribute.
    case unknownValue(SensorTagAttribute, UInt8)
    /// The period is outside of what the sensor accepts. In milliseconds.
    case periodOutOfRange(milliseconds: Int, allowed: ClosedRange<Int>)

    /// The lengths, in bytes, that a layout permits.
    public enum ExpectedLength: Sendable, Hashable {
        /// One length only.
        case exactly(Int)
        /// Either of two lengths, where firmware versions differ.
        case either(Int, Int)
        /// This length or more.
        case atLeast(Int)

        /// Whether a value of `count` bytes has such a length.
        public func permits(_ count: Int) -> Bool {
            switch self {
            case .exactly(let length): count == length
            case .either(let first, let second): count == first || count == second
            case .atLeast(let length): count >= length
            }
        }
    }
}

extension SensorTagDataError.ExpectedLength: CustomStringConvertible {
    /// The lengths in words, for example "exactly 4 bytes".
    public var description: String {
        switch self {
        case .exactly(1): "exactly 1 byte"
        case .exactly(let length): "exactly \(length) bytes"
        case .either(let first, let second): "\(first) or \(second) bytes"
        case .atLeast(let length): "at least \(length) bytes"
        }
    }
}

extension SensorTagDataError: CustomStringConvertible {
    /// What is wrong, in a sentence without a full stop.
    public var description: String {
        switch self {
        case .wrongLength(let attribute, let expected, let actual):
            "\(attribute): expected \(expected), got \(actual)"
        case .calibrationNotLoaded:
            "barometer calibration: all zero, the tag has not loaded it"
        case .invalidMeasurement(let attribute):
            "\(attribute): the sensor reports no valid measurement"
        case .unknownValue(let attribute, let value):
            "\(attribute): \(value) has no meaning"
        case .periodOutOfRange(let milliseconds, let allowed):
            "period: \(milliseconds) ms is outside of \(allowed.lowerBound) to \(allowed.upperBound) ms"
        }
    }
}
