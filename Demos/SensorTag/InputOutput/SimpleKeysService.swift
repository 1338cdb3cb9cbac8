import CoreBlueZ
import FoundationEssentials

/// The keys of both generations, FFE0: a reading whenever a key is pressed or released.
///
/// Data FFE1 (1 byte, notify only: it cannot be read). There is neither configuration nor period.
/// Source: the user guides of both generations, simple key service.
public final class SimpleKeysService: SensorService<SimpleKeys> {
    /// Declares the service.
    public init() {
        super.init(name: "keys", uuid: 0xFFE0)
        addCharacteristic(Self.dataName, uuid: 0xFFE1)
    }

    /// Decodes FFE1.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> SimpleKeys? {
        try SimpleKeys(from: payload)
    }
}
