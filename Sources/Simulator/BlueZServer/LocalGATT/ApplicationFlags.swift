import BlueZDBus
import BlueZValues

/// The `Flags` of an application's characteristic or descriptor, as bluetoothd reads them.
struct ApplicationFlags: Hashable, Sendable {
    /// The properties of the characteristic's declaration.
    var properties: CharacteristicProperties = []
    var permissions: AttributePermissions = []
    /// The permissions of the client configuration, in addition to reading and writing.
    var configurationPermissions: AttributePermissions = []
    /// Whether the application is asked before a prepared write of a device that is not trusted.
    var needsAuthorization = false

    private static let extended: CharacteristicProperties = [.reliableWrite, .writableAuxiliaries]

    /// The value of the extended properties.
    var extendedProperties: UInt8 { UInt8(properties.intersection(Self.extended).rawValue >> 8) }

    /// parse_chrc_flags(): nil if a flag is unknown or there is none.
    init?(characteristic flags: Value?) {
        guard let names = Self.names(flags) else { return nil }
        for name in names where !add(characteristic: name) { return nil }
        if extendedProperties != 0 { properties.insert(.extendedProperties) }
    }

    /// parse_desc_flags()
    init?(descriptor flags: Value?) {
        guard let names = Self.names(flags) else { return nil }
        for name in names where !add(access: name, isCharacteristic: false) { return nil }
    }

    private static func names(_ flags: Value?) -> [String]? {
        guard case .array(_, let values)? = flags?.unwrapped, !values.isEmpty else { return nil }
        var names: [String] = []
        for value in values {
            guard case .string(let name) = value.unwrapped else { return nil }
            names.append(name)
        }
        return names
    }

    private mutating func add(characteristic name: String) -> Bool {
        switch name {
        case "broadcast": properties.insert(.broadcast)
        case "write-without-response": allowWriting(.writeWithoutResponse)
        case "authenticated-signed-writes": allowWriting(.authenticatedSignedWrites)
        case "reliable-write": allowWriting(.reliableWrite)
        case "extended-properties": properties.insert(.extendedProperties)
        case "writable-auxiliaries": properties.insert(.writableAuxiliaries)
        case "notify": allowUpdates(.notify, [])
        case "encrypt-notify": allowUpdates(.notify, .writeEncrypted)
        case "encrypt-authenticated-notify": allowUpdates(.notify, .writeAuthenticated)
        case "secure-notify": allowUpdates(.notify, .writeSecure)
        case "indicate": allowUpdates(.indicate, [])
        case "encrypt-indicate": allowUpdates(.indicate, .writeEncrypted)
        case "encrypt-authenticated-indicate": allowUpdates(.indicate, .writeAuthenticated)
        case "secure-indicate": allowUpdates(.indicate, .writeSecure)
        default: return add(access: name, isCharacteristic: true)
        }
        return true
    }

    private mutating func add(access name: String, isCharacteristic: Bool) -> Bool {
        let added: AttributePermissions
        switch name {
        case "read": added = .read
        case "write": added = .write
        case "encrypt-read": added = [.read, .readEncrypted]
        case "encrypt-write": added = [.write, .writeEncrypted]
        case "encrypt-authenticated-read": added = [.read, .readAuthenticated]
        case "encrypt-authenticated-write": added = [.write, .writeAuthenticated]
        case "secure-read": added = [.read, .readSecure]
        case "secure-write": added = [.write, .writeSecure]
        case "authorize":
            needsAuthorization = true
            return true
        default: return false
        }
        permissions.formUnion(added)
        if isCharacteristic { properties.insert(added.contains(.read) ? .read : .write) }
        return true
    }

    private mutating func allowWriting(_ property: CharacteristicProperties) {
        properties.insert(property)
        permissions.insert(.write)
    }

    private mutating func allowUpdates(_ property: CharacteristicProperties, _ security: AttributePermissions) {
        properties.insert(property)
        configurationPermissions.formUnion(security)
    }
}
