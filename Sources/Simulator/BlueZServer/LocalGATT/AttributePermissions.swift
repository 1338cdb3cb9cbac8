import BlueZValues

/// The permissions of an attribute in a local database (src/shared/att-types.h: BT_ATT_PERM).
struct AttributePermissions: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    static let read = AttributePermissions(rawValue: 1 << 0)
    static let write = AttributePermissions(rawValue: 1 << 1)
    static let readEncrypted = AttributePermissions(rawValue: 1 << 2)
    static let writeEncrypted = AttributePermissions(rawValue: 1 << 3)
    static let readAuthenticated = AttributePermissions(rawValue: 1 << 4)
    static let writeAuthenticated = AttributePermissions(rawValue: 1 << 5)
    static let readSecure = AttributePermissions(rawValue: 1 << 6)
    static let writeSecure = AttributePermissions(rawValue: 1 << 7)

    /// check_permissions(): the error of a request on a link with this security, or nil. An attribute without any
    /// permission is not checked.
    func error(reading isRead: Bool, over security: LinkSecurity) -> ATTError? {
        if !isEmpty, !contains(isRead ? .read : .write) { return isRead ? .readNotPermitted : .writeNotPermitted }
        if contains(isRead ? .readSecure : .writeSecure), security < .secureConnections {
            return .insufficientAuthentication
        }
        if contains(isRead ? .readAuthenticated : .writeAuthenticated), security < .authenticated {
            return .insufficientAuthentication
        }
        if contains(isRead ? .readEncrypted : .writeEncrypted), security < .encrypted {
            return .insufficientEncryption
        }
        return nil
    }
}

/// The security of a link, the lowest first.
package enum LinkSecurity: Int, Comparable, Sendable {
    case none
    /// Encrypted.
    case encrypted
    /// Encrypted with keys of a pairing in which a number was compared or typed.
    case authenticated
    /// Authenticated, with LE Secure Connections.
    case secureConnections

    package static func < (left: LinkSecurity, right: LinkSecurity) -> Bool { left.rawValue < right.rawValue }
}
