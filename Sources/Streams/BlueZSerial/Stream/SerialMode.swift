import CoreBlueZ
import FoundationEssentials

/// A mode of a module, which decides what the module does with the bytes that it receives.
///
/// The numbers are those of Zentri's streaming service, from the maker's application note for ZentriOS-S 3.0,
/// "Communicating via BLE" (docs.zentri.com/zentrios/s/3.0/cmd/apps/communicating-via-ble). For a module with other
/// modes, create them with `init(rawValue:)`.
public struct SerialMode: RawRepresentable, Hashable, Sendable {
    /// The byte to write to the characteristic for the mode.
    public var rawValue: UInt8

    /// Creates a mode from its byte.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The module passes bytes to the device behind it.
    public static let stream = SerialMode(rawValue: 1)
    /// The module takes commands from the device behind it.
    public static let localCommand = SerialMode(rawValue: 2)
    /// The module takes commands over the air.
    public static let remoteCommand = SerialMode(rawValue: 3)
}

extension SerialService {
    /// Switches the mode of a module. The operation fails with `notSupported` if the profile has no mode, and with the
    /// codes of `Characteristic.writeValue(_:type:completion:)`.
    ///
    /// - Parameters:
    ///   - mode: the new mode.
    ///   - completion: gets nil when the module has confirmed, or the error.
    public func setMode(_ mode: SerialMode, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let characteristic = modeCharacteristic else {
            return BluetoothActor.perform { [noMode] in completion(noMode) }
        }
        characteristic.writeByte(mode.rawValue, completion: completion)
    }

    /// Switches the mode of a module; the async form of `setMode(_:completion:)`.
    public func setMode(_ mode: SerialMode) async throws(BluetoothError) {
        guard let characteristic = modeCharacteristic else { throw noMode }
        try await characteristic.writeByte(mode.rawValue)
    }

    private var modeCharacteristic: Characteristic? { profile.mode.flatMap { self[$0] } }

    private var noMode: BluetoothError {
        BluetoothError(.notSupported, "The profile \(profile.name) has no characteristic for a mode; use one that has")
    }
}
