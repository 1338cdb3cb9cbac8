import BlueZPrintableText

/// An error code of the Attribute Protocol (Core Specification, volume 3, part F, 3.4.1.1; common profile codes:
/// Supplement, part B).
public struct ATTError: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code, as the peripheral sends it.
    public let rawValue: UInt8

    /// Creates an error from any code.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// 0x01: the handle is not valid.
    public static let invalidHandle = ATTError(rawValue: 0x01)
    /// 0x02: the attribute cannot be read.
    public static let readNotPermitted = ATTError(rawValue: 0x02)
    /// 0x03: the attribute cannot be written.
    public static let writeNotPermitted = ATTError(rawValue: 0x03)
    /// 0x05: the link is not authenticated.
    public static let insufficientAuthentication = ATTError(rawValue: 0x05)
    /// 0x06: the peripheral does not support the request.
    public static let requestNotSupported = ATTError(rawValue: 0x06)
    /// 0x07: the offset is past the end of the value.
    public static let invalidOffset = ATTError(rawValue: 0x07)
    /// 0x08: the peripheral does not authorize this client.
    public static let insufficientAuthorization = ATTError(rawValue: 0x08)
    /// 0x09: the peripheral's queue of prepared writes is full.
    public static let prepareQueueFull = ATTError(rawValue: 0x09)
    /// 0x0A: there is no such attribute.
    public static let attributeNotFound = ATTError(rawValue: 0x0A)
    /// 0x0B: the value fits into one response, so the peripheral does not send parts of it.
    public static let attributeNotLong = ATTError(rawValue: 0x0B)
    /// 0x0C: the key of the link is too short.
    public static let insufficientEncryptionKeySize = ATTError(rawValue: 0x0C)
    /// 0x0D: the value has the wrong length.
    public static let invalidAttributeValueLength = ATTError(rawValue: 0x0D)
    /// 0x0E: an unlikely error. BlueZ also reports it for malformed responses, and for requests that were lost while
    /// pairing.
    public static let unlikelyError = ATTError(rawValue: 0x0E)
    /// 0x0F: the link is not encrypted.
    public static let insufficientEncryption = ATTError(rawValue: 0x0F)

    /// 0x10: the attribute type is not a grouping type.
    public static let unsupportedGroupType = ATTError(rawValue: 0x10)
    /// 0x11: the peripheral lacks the resources.
    public static let insufficientResources = ATTError(rawValue: 0x11)

    /// 0x13: the value is not one that the attribute can have.
    public static let valueNotAllowed = ATTError(rawValue: 0x13)
    /// 0xFD: the client configuration is not one that the characteristic supports.
    public static let configurationImproperlyConfigured = ATTError(rawValue: 0xFD)
    /// 0xFE: an earlier request is still in progress.
    public static let procedureAlreadyInProgress = ATTError(rawValue: 0xFE)

    private static let names: [UInt8: String] = [
        0x01: "invalid handle",
        0x02: "read not permitted",
        0x03: "write not permitted",
        0x04: "invalid PDU",
        0x05: "insufficient authentication",
        0x06: "request not supported",
        0x07: "invalid offset",
        0x08: "insufficient authorization",
        0x09: "prepare queue full",
        0x0A: "attribute not found",
        0x0B: "attribute not long",
        0x0C: "encryption key size too short",
        0x0D: "invalid attribute value length",
        0x0E: "unlikely error",
        0x0F: "insufficient encryption",
        0x10: "unsupported group type",
        0x11: "insufficient resources",
        0x12: "database out of sync",
        0x13: "value not allowed",
        0xFC: "write request rejected",
        0xFD: "client characteristic configuration descriptor improperly configured",
        0xFE: "procedure already in progress",
        0xFF: "out of range",
    ]

    /// The code's name, or "application error" for 0x80 to 0x9F, whose meaning the service defines.
    public var name: String {
        if let name = Self.names[rawValue] { return name }
        return (0x80...0x9F).contains(rawValue) ? "application error" : "reserved error"
    }

    /// The code and the name, such as "ATT error 0x80 (application error)".
    public var description: String {
        "ATT error 0x\(String(hexadecimal: rawValue, digits: 2)) (\(name))"
    }
}
