import CoreBlueZ
import FoundationEssentials

/// The infrared thermometer, AA00, of both generations: TMP006 (CC2541) and TMP007 (CC2650; not on later boards).
///
/// Data AA01 (4 bytes), configuration AA02, period AA03 (from firmware 1.4 on the CC2541; 300 to 2550 ms). Readings are
/// in degrees Celsius. Source: the user guides of both generations, IR temperature sensor.
public final class TemperatureService: SensorService<TemperatureReading> {
    /// Declares the service.
    public init() {
        super.init(name: "temperature", offset: 0xAA00, periodLimits: .temperature)
        addCharacteristic(Self.dataName, offset: 0xAA01)
        addCharacteristic(Self.configurationName, offset: 0xAA02)
        addCharacteristic(Self.periodName, offset: 0xAA03)
    }

    /// Decodes AA01 as the tag's generation encodes it.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> TemperatureReading? {
        switch tag?.generation {
        case .cc2650: try TMP007.reading(from: payload)
        default: try TMP006.reading(from: payload)
        }
    }
}
