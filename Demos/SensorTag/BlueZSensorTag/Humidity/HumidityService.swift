import CoreBlueZ
import FoundationEssentials

/// The humidity sensor, AA20, of both generations: SHT21 (CC2541) and HDC1000 (CC2650).
///
/// Data AA21 (4 bytes), configuration AA22, period AA23 (from firmware 1.4 on the CC2541; 100 to 2550 ms). Readings are
/// in degrees Celsius and percent. Source: the user guides of both generations, humidity sensor.
public final class HumidityService: SensorService<HumidityReading> {
    /// Declares the service.
    public init() {
        super.init(name: "humidity", offset: 0xAA20)
        addCharacteristic(Self.dataName, offset: 0xAA21)
        addCharacteristic(Self.configurationName, offset: 0xAA22)
        addCharacteristic(Self.periodName, offset: 0xAA23)
    }

    /// Decodes AA21 as the tag's generation encodes it.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> HumidityReading? {
        switch tag?.generation {
        case .cc2650: try HDC1000.reading(from: payload)
        default: try SHT21.reading(from: payload)
        }
    }
}
