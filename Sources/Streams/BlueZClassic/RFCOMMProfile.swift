import BlueZClient
import BlueZDBus
import CoreBlueZ

/// An RFCOMM service that is registered with bluetoothd. `openRFCOMMChannel` connects to it, or this machine offers it
/// (doc/org.bluez.ProfileManager.rst).
public struct RFCOMMProfile: Hashable, Sendable {
    /// The side that connects: this machine, devices, or either.
    public enum Role: String, Hashable, Sendable {
        /// This machine connects to devices that offer the service.
        case client
        /// This machine offers the service.
        case server
        /// Either side connects.
        case both
    }

    /// The UUID of the service, such as `BluetoothUUID.serialPort`.
    public var uuid: BluetoothUUID
    /// The service's name if this machine offers it. Nil lets bluetoothd choose one.
    public var name: String?
    /// The side that connects; this machine by default.
    public var role: Role
    /// The RFCOMM channel on which this machine offers the service, 1 to 30. Nil lets bluetoothd choose a free one.
    public var channel: UInt8?
    /// Whether devices must be paired. Nil leaves this to bluetoothd, which requires it.
    public var requiresAuthentication: Bool?
    /// Whether a pairing agent is asked before a device that is not trusted may connect
    /// (`PairingAgent.serviceAuthorizationHandler`). Nil leaves this to bluetoothd, which usually asks.
    public var requiresAuthorization: Bool?
    /// Whether `Peripheral.connect` also opens a channel to the service, which is passed to the closure of
    /// `registerProfile`. False by default.
    public var connectsAutomatically: Bool
    /// The profile's version if this machine offers it, such as 0x0102 for 1.2.
    public var version: UInt16?

    /// Creates a profile.
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

    /// The options of RegisterProfile. Channel 0 means any free one. Without `Role`, a profile has both roles.
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
