import CoreBlueZ
import FoundationEssentials

/// The battery of the CC2650, 180F, notified every 15 s.
///
/// Data 2A19 (1 byte, percent). Before BlueZ 5.55 bluetoothd reserved this service: there it is not discovered.
/// Source: Bluetooth SIG, Battery Service; the interval from firmware 1.50.
public final class BatteryService: SensorService<BatteryLevel> {
    /// Declares the service.
    public init() {
        super.init(name: "battery", uuid: 0x180F)
        addCharacteristic(Self.dataName, uuid: 0x2A19)
    }

    /// Reads the level.
    ///
    /// - Parameter completion: gets the level, or the error; `invalidData` for a length other than 1 byte.
    public func readLevel(completion: @escaping @BluetoothActor (BatteryLevel?, BluetoothError?) -> Void) {
        read(Self.dataName, { (value) throws(SensorTagDataError) in try BatteryLevel(from: value) }, completion)
    }

    /// Reads the level; the async form of `readLevel(completion:)`.
    public func readLevel() async throws(BluetoothError) -> BatteryLevel {
        try await waiting { readLevel(completion: $0) }
    }

    /// Decodes 2A19.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> BatteryLevel? {
        try BatteryLevel(from: payload)
    }
}

/// The battery level of the CC2650, 2A19.
///
/// 1 byte: percent. The firmware computes it from the voltage without a limit, so that a fresh battery exceeds 100.
public struct BatteryLevel: Sendable, Hashable {
    /// The charge in percent, 0 to 100.
    public let percent: Int

    /// Decodes one value of 2A19. More than 100 becomes 100.
    ///
    /// - Throws: `wrongLength` unless there is exactly 1 byte.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .batteryLevel, length: .exactly(1))
        percent = min(Int(payload.bytes[0]), 100)
    }
}
