import BlueZClassic
import BlueZSerial
import CoreBlueZ

/// A protocol that the application speaks, and how it is carried. Apple's applications declare this in their property
/// list.
public struct AccessoryProtocol: Hashable, Sendable {
    /// A way in which the protocol's bytes are carried.
    public enum Carrier: Hashable, Sendable {
        /// A serial port over GATT, opened with these options.
        case serial(SerialProfile, SerialOptions)
        /// An RFCOMM service of classic Bluetooth.
        case rfcomm(RFCOMMProfile)

        /// A serial port over GATT, opened with the default options.
        public static func serial(_ profile: SerialProfile) -> Carrier { .serial(profile, SerialOptions()) }

        /// An RFCOMM service, by its UUID. `Peripheral.connect` connects to it.
        public static func rfcomm(uuid: BluetoothUUID) -> Carrier {
            .rfcomm(RFCOMMProfile(uuid, role: .client, connectsAutomatically: true))
        }
    }

    /// The protocol's name in reverse DNS notation, such as "com.example.printer".
    public var name: String
    /// The carriers of the protocol. If an accessory has several of them, the first that can be opened is used.
    public var carriers: [Carrier]

    /// Declares a protocol.
    public init(_ name: String, over carriers: Carrier...) {
        self.name = name
        self.carriers = carriers
    }
}

extension AccessoryProtocol {
    /// A resource of a device that one session can use at a time.
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

    /// Returns whether a connected device offers the carrier. The services of the device must be resolved.
    @BluetoothActor func isOffered(by peripheral: Peripheral) -> Bool {
        switch self {
        case .serial(let profile, _): profile.isOffered(by: peripheral)
        case .rfcomm(let profile): peripheral.advertisement.serviceUUIDs.contains(profile.uuid)
        }
    }

    /// The profile to register with bluetoothd, or nil.
    var rfcommProfile: RFCOMMProfile? {
        if case .rfcomm(let profile) = self { profile } else { nil }
    }
}
