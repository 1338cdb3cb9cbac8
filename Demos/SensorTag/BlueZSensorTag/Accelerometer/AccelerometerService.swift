import CoreBlueZ
import FoundationEssentials

/// The accelerometer of the CC2541, AA10: KXTJ9.
///
/// Data AA11 (3 bytes), configuration AA12, period AA13 (100 to 2550 ms). Readings are in g. The meaning of the
/// configuration byte depends on the firmware, which `SensorTag.prepare` reads.
/// Source: TI SensorTag User Guide (CC2541), accelerometer; ranges from the firmware.
public final class AccelerometerService: SensorService<AccelerometerReading> {
    /// The requested range, ±2 g by default. It takes effect when the sensor is switched on.
    public var wantedRange = KXTJ9.Range.twoG

    /// The range of the readings: the requested one, or the one that the firmware uses instead. Set when the sensor is
    /// switched on.
    public private(set) var range = KXTJ9.Range.twoG

    /// Declares the service.
    public init() {
        super.init(name: "accelerometer", offset: 0xAA10)
        addCharacteristic(Self.dataName, offset: 0xAA11)
        addCharacteristic(Self.configurationName, offset: 0xAA12)
        addCharacteristic(Self.periodName, offset: 0xAA13)
    }

    /// The byte for the requested range.
    override public var onConfiguration: Data {
        let setting = KXTJ9.setting(for: wantedRange, firmware: tag?.firmware)
        range = setting.range
        return Data([setting.configuration])
    }

    /// Writes the period again if old firmware has reset it.
    override public func didTurnOn(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        writePeriodAgain(completion)
    }

    /// Decodes AA11.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> AccelerometerReading? {
        try KXTJ9.reading(from: payload, range: range)
    }
}
