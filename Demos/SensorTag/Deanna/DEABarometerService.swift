import BlueZSensorTag
import CoreBlueZ
import FoundationEssentials

/// The barometer, AA40: its values need a calibration, which is requested once on each link.
public final class DEABarometerService: DEABaseService {
    /// The air pressure in pascal; nil before the first measurement.
    public private(set) var pressure: Double?
    /// The temperature of the sensor in degrees Celsius; nil before the first measurement.
    public private(set) var ambientTemp: Double?
    /// Whether the calibration is known.
    public var isCalibrated: Bool { calibration != nil }
    /// Whether the calibration was requested and has not arrived.
    public private(set) var isCalibrating = false

    private var calibration: BarometerCalibration?

    /// Declares the service.
    public init() {
        super.init(name: "barometer", offset: 0xAA40)
        addCharacteristic("calibration", offset: 0xAA43)
    }

    /// Writes 2 to the configuration, and reads the calibration.
    ///
    /// - Parameter completion: gets nil once the calibration is known, or the error.
    public func requestCalibration(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard !isCalibrating else {
            return BluetoothActor.perform { completion(BluetoothError(.busy, "The barometer is calibrating already")) }
        }
        isCalibrating = true
        characteristic("config").writeByte(2) { [self] error in
            if let error {
                isCalibrating = false
                return completion(error)
            }
            characteristic("calibration").readValue { [self] value, error in
                isCalibrating = false
                guard let value else { return completion(error) }
                calibration = try? BarometerCalibration(from: value)
                let failure = BluetoothError(.invalidData, "The calibration is invalid; request it again")
                completion(isCalibrated ? nil : failure)
            }
        }
    }

    /// Decodes pressure and temperature; nothing before the calibration.
    override public func decode(_ data: Data) throws {
        guard let calibration else { return }
        let reading = try T5400.reading(from: data, calibration: calibration)
        pressure = reading.pressurePascals
        ambientTemp = reading.temperatureCelsius
    }

    /// The tag forgets its calibration.
    override public func didDisconnect() {
        calibration = nil
        super.didDisconnect()
    }
}
