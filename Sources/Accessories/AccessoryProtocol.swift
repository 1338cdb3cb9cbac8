import BLESerial
import BluetoothClassic
import CoreBlueZ

/// A protocol that the application speaks, and how it is carried: what Apple's applications declare in their property list.
public struct AccessoryProtocol: Hashable, Sendable {
    /// How the protocol's bytes reach an accessory.
    public enum Carrier: Hashable, Sendable {
        /// A serial port over GATT, opened in this way.
        case serial(SerialProfile, SerialOptions)
        /// An RFCOMM service of classic Bluetooth.
        case rfcomm(RFCOMMProfile)

        /// A serial port over GATT, opened as by default.
        public static func serial(_ profile: SerialProfile) -> Carrier { .serial(profile, SerialOptions()) }

        /// An RFCOMM service, by its UUID. `Peripheral.connect` connects to it.
        public static func rfcomm(uuid: BluetoothUUID) -> Carrier {
            .rfcomm(RFCOMMProfile(uuid, role: .client, connectsAutomatically: true))
        }
    }

    /// The protocol's name in reverse DNS notation, such as "com.example.printer".
    public var name: String
    /// What carries it. An accessory that has several uses the first of them that can be opened.
    public var carriers: [Carrier]

    /// Declares a protocol.
    public init(_ name: String, over carriers: Carrier...) {
        self.name = name
        self.carriers = carriers
    }
}

extension AccessoryProtocol {
    /// What one session at a time can have of a device.
    enum Port: Hashable {
        case gatt(BluetoothUUID)
        case rfcomm(BluetoothUUID)
    }
}

extension AccessoryProtocol.Carrier {
    var port: AccessoryProtocol.Port {
        switch self {
        case .serial(let profile, _): .gatt(profile.service)
        case .rfcomm(let profile): .rfcomm(profile.uuid)
        }
    }

    /// Whether a connected device offers it. The services of the device must be resolved.
    @BluetoothActor func isOffered(by peripheral: Peripheral) -> Bool {
        switch self {
        case .serial(let profile, _): profile.isOffered(by: peripheral)
        case .rfcomm(let profile): peripheral.advertisement.serviceUUIDs.contains(profile.uuid)
        }
    }

    /// The profile to register with bluetoothd, if there is one.
    var rfcommProfile: RFCOMMProfile? {
        if case .rfcomm(let profile) = self { profile } else { nil }
    }
}
