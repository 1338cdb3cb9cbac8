/// What a central may do with a local attribute, and how secure its link must be for that.
///
/// bluetoothd checks the link before this program gets a request. A central that needs more security gets an ATT error
/// (0x05 or 0x0F), pairs, and tries again; see ``PairingAgent`` for the questions on this side.
public struct AttributePermissions: OptionSet, Hashable, Codable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The value can be read. Only descriptors need it: `CharacteristicProperties.read` contains it.
    public static let read = AttributePermissions(rawValue: 1 << 0)
    /// The value can be written. Only descriptors need it: `CharacteristicProperties.write` contains it.
    public static let write = AttributePermissions(rawValue: 1 << 1)
    /// Reading needs an encrypted link.
    public static let readEncrypted = AttributePermissions(rawValue: 1 << 2)
    /// Writing needs an encrypted link. bluetoothd then also accepts write requests.
    public static let writeEncrypted = AttributePermissions(rawValue: 1 << 3)
    /// Reading needs keys from a pairing in which a number was compared or typed.
    public static let readAuthenticated = AttributePermissions(rawValue: 1 << 4)
    /// Writing needs keys from a pairing in which a number was compared or typed.
    public static let writeAuthenticated = AttributePermissions(rawValue: 1 << 5)
    /// Reading needs LE Secure Connections, with a number that was compared or typed.
    public static let readSecure = AttributePermissions(rawValue: 1 << 6)
    /// Writing needs LE Secure Connections, with a number that was compared or typed.
    public static let writeSecure = AttributePermissions(rawValue: 1 << 7)
    /// Subscribing needs an encrypted link (BlueZ 5.62 or newer). Only for characteristics.
    public static let subscribeEncrypted = AttributePermissions(rawValue: 1 << 8)
    /// Subscribing needs keys from a pairing in which a number was compared or typed (BlueZ 5.62 or newer). Only for
    /// characteristics.
    public static let subscribeAuthenticated = AttributePermissions(rawValue: 1 << 9)
    /// Subscribing needs LE Secure Connections, with a number that was compared or typed (BlueZ 5.62 or newer). Only
    /// for characteristics.
    public static let subscribeSecure = AttributePermissions(rawValue: 1 << 10)
    /// Before the first part of a prepared write, bluetoothd asks whether the central may write; see
    /// `WriteRequest.isAuthorization`. It does not ask about devices that the user trusts, nor about other writes
    /// (src/gatt-database.c: chrc_write_cb).
    public static let authorize = AttributePermissions(rawValue: 1 << 11)

    private static let subscribing: AttributePermissions = [
        .subscribeEncrypted, .subscribeAuthenticated, .subscribeSecure,
    ]

    /// The security that each bit requires, as the prefix of BlueZ's flags.
    private static let levels: [(read: Self, write: Self, subscribe: Self, prefix: String)] = [
        (.readEncrypted, .writeEncrypted, .subscribeEncrypted, "encrypt-"),
        (.readAuthenticated, .writeAuthenticated, .subscribeAuthenticated, "encrypt-authenticated-"),
        (.readSecure, .writeSecure, .subscribeSecure, "secure-"),
    ]

    /// Returns BlueZ's flags (doc/org.bluez.GattCharacteristic.rst, doc/org.bluez.GattDescriptor.rst).
    ///
    /// - Parameter properties: the properties of the characteristic; none for a descriptor.
    func flags(_ properties: CharacteristicProperties) -> [String] {
        var flags = properties.names
        if contains(.read), !flags.contains("read") { flags.append("read") }
        if contains(.write), !flags.contains("write") { flags.append("write") }
        for level in Self.levels {
            if contains(level.read) { flags.append(level.prefix + "read") }
            if contains(level.write) { flags.append(level.prefix + "write") }
            guard contains(level.subscribe) else { continue }
            if properties.contains(.notify) { flags.append(level.prefix + "notify") }
            if properties.contains(.indicate) { flags.append(level.prefix + "indicate") }
        }
        if contains(.authorize) { flags.append("authorize") }
        return flags
    }

    /// Whether there are requirements that only a characteristic can have.
    var concernSubscriptions: Bool { !isDisjoint(with: Self.subscribing) }
}
