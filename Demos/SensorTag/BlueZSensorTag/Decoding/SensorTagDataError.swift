import CoreBlueZ

/// Why bytes of a SensorTag are not a valid value, or why a value cannot be written.
public enum SensorTagDataError: Error, Sendable, Hashable {
    /// The value's length does not match the attribute's layout. Lengths are in bytes.
    case wrongLength(SensorTagAttribute, expected: ExpectedLength, actual: Int)
    /// The barometer calibration is all zero: the tag has not loaded it. Write 2 to the barometer's configuration
    /// first.
    case calibrationNotLoaded
    /// The length is right, but the sensor marks these bytes as no measurement.
    case invalidMeasurement(SensorTagAttribute)
    /// The byte has no meaning for this attribute.
    case unknownValue(SensorTagAttribute, UInt8)
    /// The period is outside the range that the sensor accepts. In milliseconds.
    case periodOutOfRange(milliseconds: Int, allowed: ClosedRange<Int>)

    /// The lengths, in bytes, that a layout permits.
    public enum ExpectedLength: Sendable, Hashable {
        /// A single length.
        case exactly(Int)
        /// Either of two lengths, because firmware versions differ.
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
    /// The error, in a sentence without a full stop.
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

extension BluetoothError {
    /// The error for a value that does not match its layout: `invalidData`, or `invalidArguments` for a period that is
    /// out of range.
    init(_ error: SensorTagDataError, _ subject: String) {
        let code: Code =
            switch error {
            case .periodOutOfRange: .invalidArguments
            default: .invalidData
            }
        self.init(code, "\(subject): \(error)")
    }
}

/// The values of a SensorTag that are decoded here, for error reports.
public enum SensorTagAttribute: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// IR temperature, data AA01 (TMP006 or TMP007).
    case temperature = "IR temperature"
    /// Accelerometer of the CC2541, data AA11.
    case accelerometer
    /// Humidity, data AA21 (SHT21 or HDC1000).
    case humidity
    /// Magnetometer of the CC2541, data AA31.
    case magnetometer
    /// Barometer, data AA41 (T5400 or BMP280).
    case barometer
    /// Calibration of the CC2541 barometer, AA43.
    case barometerCalibration = "barometer calibration"
    /// Gyroscope of the CC2541, data AA51.
    case gyroscope
    /// Movement of the CC2650, data AA81.
    case movement
    /// Configuration of the movement sensor of the CC2650, AA82.
    case movementConfiguration = "movement configuration"
    /// Optical sensor of the CC2650, data AA71.
    case optical
    /// Simple keys, FFE1.
    case simpleKeys = "simple keys"
    /// Self-test result: AA61 of the CC2541, AA65 of the CC2650 in self-test mode.
    case selfTest = "self-test result"
    /// Mode of the IO service of the CC2650, AA66.
    case ioMode = "IO mode"
    /// Configuration byte of a sensor: AA02, AA12 and so on.
    case configuration
    /// Period byte of a sensor: AA03, AA13 and so on.
    case period
    /// Battery level, 2A19.
    case batteryLevel = "battery level"
    /// Parameters of the connection, CCC1.
    case connectionParameters = "connection parameters"
    /// System ID, 2A23.
    case systemIdentifier = "system ID"
    /// IEEE 11073-20601 regulatory certification data list, 2A2A.
    case regulatoryCertification = "IEEE 11073 certification data"
    /// PnP ID, 2A50.
    case pnpIdentifier = "PnP ID"

    /// The name for users, for example "barometer calibration".
    public var description: String { rawValue }
}
