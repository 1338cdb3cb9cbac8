import BlueZSensorTag
import CoreBlueZ
import FoundationEssentials

/// The infrared thermometer, AA00.
public final class DEATemperatureService: DEABaseService {
    /// The temperature of the sensor in degrees Celsius; nil before the first measurement.
    public private(set) var ambientTemp: Double?
    /// The temperature of the object in front of the sensor in degrees Celsius; nil before the first measurement.
    public private(set) var objectTemp: Double?

    /// Declares the service.
    public init() {
        super.init(name: "temperature", offset: 0xAA00)
    }

    /// Decodes both temperatures.
    override public func decode(_ data: Data) throws {
        let reading = try TMP006.reading(from: data)
        ambientTemp = reading.ambientCelsius
        objectTemp = reading.objectCelsius
    }
}
