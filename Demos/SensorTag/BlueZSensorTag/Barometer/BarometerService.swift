import CoreBlueZ
import FoundationEssentials

/// The barometer, AA40, of both generations: T5400 (CC2541), which needs a calibration, and BMP280 (CC2650), which does
/// not.
///
/// Data AA41 (4 bytes, or 6 on the CC2650), configuration AA42 (0 off, 1 on, 2 load the calibration), calibration AA43
/// (16 bytes, CC2541 only), period AA44 (from firmware 1.4 on the CC2541; 100 to 2550 ms). Readings are in pascal and
/// degrees Celsius; values without a pressure, such as the first after switching on, are not readings.
///
/// `turnOn` calibrates automatically. Source: the user guides of both generations, barometric pressure sensor.
public final class BarometerService: SensorService<BarometerReading> {
    /// The progress of the calibration.
    public enum CalibrationState: Sendable, Hashable {
        /// There is none, as after switching off and after the end of the link: the tag forgets it.
        case none
        /// It was requested.
        case inProgress
        /// The tag has sent it.
        case done(BarometerCalibration)
    }

    /// The progress of the calibration; always `none` on the CC2650, which has no calibration.
    public var calibrationState: CalibrationState {
        if isCalibrating { .inProgress } else { calibration.map(CalibrationState.done) ?? .none }
    }

    /// The calibration that the tag sent; nil while there is none. It remains in effect while another one is in
    /// progress.
    public private(set) var calibration: BarometerCalibration?

    private var isCalibrating = false

    /// The name of the calibration's characteristic.
    public nonisolated static let calibrationName = "calibration"
    private static let loadCalibration: UInt8 = 2

    /// Declares the service.
    public init() {
        super.init(name: "barometer", offset: 0xAA40)
        addCharacteristic(Self.dataName, offset: 0xAA41)
        addCharacteristic(Self.configurationName, offset: 0xAA42)
        addCharacteristic(Self.calibrationName, offset: 0xAA43)
        addCharacteristic(Self.periodName, offset: 0xAA44)
    }

    /// Whether the barometer needs a calibration, that is, whether it has the characteristic AA43.
    public var needsCalibration: Bool { self[Self.calibrationName]?.isDiscovered ?? false }

    /// Requests the tag's calibration: writes 2 to AA42 and reads AA43. It may be called at any time, with the sensor
    /// on or off, even during a calibration; it neither starts nor stops measuring.
    ///
    /// - Parameter completion: gets nil when there is a calibration, or none is needed; otherwise the error. An earlier
    ///   calibration then stays valid. `invalidData` if AA43 does not have 16 bytes or is all zero.
    public func calibrate(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        perform({ [self] done in loadCalibration(done) }, completion: completion)
    }

    /// Requests the tag's calibration; the async form of `calibrate(completion:)`.
    public func calibrate() async throws(BluetoothError) {
        try await waiting { calibrate(completion: $0) }
    }

    /// Calibrates, unless that was done since the sensor was last off.
    override public func willTurnOn(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        if calibration != nil { completion(nil) } else { loadCalibration(completion) }
    }

    /// Decodes AA41 as the tag's generation encodes it; nil for a value without a pressure.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> BarometerReading? {
        let reading: BarometerReading
        if needsCalibration {
            guard let calibration else { throw .calibrationNotLoaded }
            reading = try T5400.reading(from: payload, calibration: calibration)
        } else {
            reading = try BMP280.reading(from: payload)
        }
        return reading.pressurePascals == nil ? nil : reading
    }

    /// Forgets the calibration too.
    override public func reset() {
        super.reset()
        calibration = nil
    }

    private func loadCalibration(_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard !isDiscovered || needsCalibration else { return done(nil) }
        guard let configuration = characteristic(Self.configurationName, done) else { return }
        isCalibrating = true
        configuration.writeByte(Self.loadCalibration) { [self] error in
            if let error { return finishCalibration(nil, error, done) }
            let decode = { @BluetoothActor (value: Data) throws(SensorTagDataError) in
                try BarometerCalibration(from: value)
            }
            read(Self.calibrationName, decode) { [self] in finishCalibration($0, $1, done) }
        }
    }

    private func finishCalibration(
        _ loaded: BarometerCalibration?,
        _ error: BluetoothError?,
        _ done: @BluetoothActor (BluetoothError?) -> Void
    ) {
        isCalibrating = false
        if let loaded { calibration = loaded }
        done(error)
    }
}
