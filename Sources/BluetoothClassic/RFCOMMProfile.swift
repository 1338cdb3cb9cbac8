import BlueZClient
import CoreBlueZ
import DBus

/// An RFCOMM service as registered with bluetoothd: for `openRFCOMMChannel` to connect to, or offered by this computer
/// (doc/org.bluez.ProfileManager.rst).
public struct RFCOMMProfile: Hashable, Sendable {
    /// Which side connects.
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
    /// The service's name if this computer offers it; nil lets bluetoothd choose one.
    public var name: String?
    /// Which side connects.
    public var role: Role
    /// The RFCOMM channel on which this computer offers the service, 1 to 30; nil lets bluetoothd choose a free one.
    public var channel: UInt8?
    /// Whether devices must be paired; nil leaves it to bluetoothd, which requires it.
    public var requiresAuthentication: Bool?
    /// Whether a pairing agent is asked before a device that is not trusted may connect
    /// (`PairingAgent.serviceAuthorizationHandler`); nil leaves it to bluetoothd, which usually asks.
    public var requiresAuthorization: Bool?
    /// Whether `Peripheral.connect` opens a channel to the service too. The closure with which the profile was
    /// registered gets it.
    public var connectsAutomatically: Bool
    /// The profile's version if this computer offers it, such as 0x0102 for 1.2.
    public var version: UInt16?

    /// Makes a profile.
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

    /// The options of RegisterProfile. Channel 0 is any free one; without `Role` a profile has both.
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
