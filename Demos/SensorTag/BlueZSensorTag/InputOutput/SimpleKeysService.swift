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

/// The pressed keys, FFE1, on both generations. Empty: all released.
///
/// 1 byte, one bit per key. The names are those of the tag's firmware and user guide; other programs swap left and
/// right, because a tag can be held either way.
public struct SimpleKeys: OptionSet, Sendable, Hashable {
    /// The bits as the tag sends them.
    public let rawValue: UInt8

    /// The keys of a set of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bit 0: the left key, on the CC2650 the user key.
    public static let left = SimpleKeys(rawValue: 1 << 0)
    /// Bit 1: the right key, on the CC2650 the power key.
    public static let right = SimpleKeys(rawValue: 1 << 1)
    /// Bit 2 on the CC2541: the side key, reported only in test mode.
    public static let side = SimpleKeys(rawValue: 1 << 2)
    /// Bit 2 on the CC2650: the reed relay, closed by a magnet.
    public static let reedRelay = SimpleKeys(rawValue: 1 << 2)

    /// Decodes one value of FFE1. Bits without a key are dropped.
    ///
    /// - Throws: `wrongLength` unless there is exactly 1 byte.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .simpleKeys, length: .exactly(1))
        self.init(rawValue: payload.bytes[0] & 0b111)
    }
}
