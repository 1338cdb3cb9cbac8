import CoreBlueZ
import FoundationEssentials

/// The light sensor of the CC2650, AA70: OPT3001.
///
/// Data AA71 (2 bytes), configuration AA72, period AA73 (100 to 2550 ms, default 800 ms). Readings are in lux.
/// Source: TI CC2650 SensorTag User's Guide, optical sensor.
public final class OpticalService: SensorService<OpticalReading> {
    /// Declares the service.
    public init() {
        super.init(name: "optical", offset: 0xAA70, periodLimits: .optical)
        addCharacteristic(Self.dataName, offset: 0xAA71)
        addCharacteristic(Self.configurationName, offset: 0xAA72)
        addCharacteristic(Self.periodName, offset: 0xAA73)
    }

    /// Decodes AA71.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> OpticalReading? {
        try OPT3001.reading(from: payload)
    }
}
