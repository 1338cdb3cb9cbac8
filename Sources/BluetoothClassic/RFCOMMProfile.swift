import BlueZClient
import CoreBlueZ
import DBus

/// An RFCOMM service as bluetoothd is told of it: what `openRFCOMMChannel` connects to, or what this computer offers
/// (doc/org.bluez.ProfileManager.rst).
public struct RFCOMMProfile: Hashable, Sendable {
    /// Who connects to whom.
    public enum Role: String, Hashable, Sendable {
        /// This computer connects to devices that offer the service.
        case client
        /// This computer offers the service.
        case server
        /// Both.
        case both
    }

    /// The service's UUID.
    public var uuid: BluetoothUUID
    /// The service's name in what this computer offers; nil lets bluetoothd make one up.
    public var name: String?
    /// Who connects to whom.
    public var role: Role
    /// The RFCOMM channel that this computer offers the service on, 1 to 30; nil lets bluetoothd choose one that is free.
    public var channel: UInt8?
    /// Whether devices must be paired; nil leaves it to bluetoothd, which asks for it.
    public var requiresAuthentication: Bool?
    /// Whether a pairing agent is asked before a device that is not trusted may connect
    /// (`PairingAgent.serviceAuthorizationHandler`); nil leaves it to bluetoothd, which mostly asks.
    public var requiresAuthorization: Bool?
    /// Whether `Peripheral.connect` opens a channel to the service too. It goes to the closure that the profile was
    /// registered with.
    public var connectsAutomatically: Bool
    /// The profile's version in what this computer offers, such as 0x0102 for 1.2.
    public var version: UInt16?

    /// A profile.
    public init(
        _ uuid: BluetoothUUID,
        name: String? = nil,
        role: Role = .client,
        channel: UInt8? = nil,
        requiresAuthentication: Bool? = nil,
        requiresAuthorization: Bool? = nil,
        connectsAutomatically: Bool = false,
        version: UInt16? = nil
    ) {
        self.uuid = uuid
        self.name = name
        self.role = role
        self.channel = channel
        self.requiresAuthentication = requiresAuthentication
        self.requiresAuthorization = requiresAuthorization
        self.connectsAutomatically = connectsAutomatically
        self.version = version
    }

    /// What RegisterProfile takes. Channel 0 is any that is free; without `Role` a profile has both.
    var options: [String: Value] {
        var options: [String: Value] = ["AutoConnect": .boolean(connectsAutomatically)]
        options["Name"] = name.map(Value.string)
        options["RequireAuthentication"] = requiresAuthentication.map(Value.boolean)
        options["RequireAuthorization"] = requiresAuthorization.map(Value.boolean)
        options["Version"] = version.map(Value.uint16)
        if role != .both { options["Role"] = .string(role.rawValue) }
        if role != .client { options["Channel"] = .uint16(UInt16(channel ?? 0)) }
        return options
    }
}
