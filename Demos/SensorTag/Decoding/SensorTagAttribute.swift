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

    /// The name for people, for example "barometer calibration".
    public var description: String { rawValue }
}
