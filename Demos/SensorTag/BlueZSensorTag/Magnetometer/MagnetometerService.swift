import CoreBlueZ
import FoundationEssentials

/// The magnetometer of the CC2541, AA30: MAG3110.
///
/// Data AA31 (6 bytes), configuration AA32, period AA33 (100 to 2550 ms, default 2000 ms). Readings are in microtesla,
/// minus the zero point that `calibrate` has set. Source: TI SensorTag User Guide (CC2541), magnetometer.
public final class MagnetometerService: SensorService<MagnetometerReading> {
    /// The zero point, and the last raw value. Discarded when the link ends or the sensor is switched off.
    public private(set) var zero = ZeroOffset<MagnetometerReading>()

    /// Declares the service.
    public init() {
        super.init(name: "magnetometer", offset: 0xAA30, periodLimits: .magnetometer)
        addCharacteristic(Self.dataName, offset: 0xAA31)
        addCharacteristic(Self.configurationName, offset: 0xAA32)
        addCharacteristic(Self.periodName, offset: 0xAA33)
    }

    /// Makes the last value the zero point; repeating it in the same field changes nothing.
    ///
    /// - Returns: false if nothing was changed, because there was no value yet.
    @discardableResult
    public func calibrate() -> Bool { zero.calibrate() }

    /// Writes the period again if old firmware has reset it.
    override public func didTurnOn(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        writePeriodAgain(completion)
    }

    /// Decodes AA31 and subtracts the zero point.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> MagnetometerReading? {
        zero.correct(try MAG3110.reading(from: payload))
    }

    /// Discards the zero point too.
    override public func reset() {
        super.reset()
        zero.reset()
    }
}
