/// The domain of `CBATTError`.
public let CBATTErrorDomain = "CBATTErrorDomain"

/// An error that a peripheral has returned, by the Attribute Protocol. Its `userInfo` has CoreBlueZ's `BluetoothError` as
/// `NSUnderlyingErrorKey`.
public struct CBATTError: _BridgedStoredNSError {
    /// The codes (Core Specification, volume 3, part F, 3.4.1.1).
    public enum Code: RawRepresentable, _ErrorCodeProtocol, Hashable, Sendable {
        /// The error with these codes.
        public typealias _ErrorType = CBATTError

        /// There was no error.
        case success
        /// The handle is not valid.
        case invalidHandle
        /// The attribute cannot be read.
        case readNotPermitted
        /// The attribute cannot be written.
        case writeNotPermitted
        /// The request is not valid.
        case invalidPdu
        /// The link is not authenticated.
        case insufficientAuthentication
        /// The peripheral does not support the request.
        case requestNotSupported
        /// The offset is past the end of the value.
        case invalidOffset
        /// The peripheral does not authorize this client.
        case insufficientAuthorization
        /// The queue of prepared writes is full.
        case prepareQueueFull
        /// There is no such attribute.
        case attributeNotFound
        /// The attribute cannot be read in parts.
        case attributeNotLong
        /// The key of the link is too short.
        case insufficientEncryptionKeySize
        /// The value has the wrong length.
        case invalidAttributeValueLength
        /// An unlikely error.
        case unlikelyError
        /// The link is not encrypted.
        case insufficientEncryption
        /// The attribute type is not a grouping type.
        case unsupportedGroupType
        /// The peripheral lacks the resources.
        case insufficientResources
        /// Another code, such as 0x80 to 0x9F, whose meaning the service defines. Apple's enumeration has them without a
        /// name.
        case other(Int)

        private static let named: [Code] = [
            .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu, .insufficientAuthentication,
            .requestNotSupported, .invalidOffset, .insufficientAuthorization, .prepareQueueFull, .attributeNotFound,
            .attributeNotLong, .insufficientEncryptionKeySize, .invalidAttributeValueLength, .unlikelyError,
            .insufficientEncryption, .unsupportedGroupType, .insufficientResources,
        ]

        /// Creates a code from its number.
        public init?(rawValue: Int) {
            self = Self.named.indices.contains(rawValue) ? Self.named[rawValue] : .other(rawValue)
        }

        /// The number of the code.
        public var rawValue: Int {
            switch self {
            case .success: 0
            case .invalidHandle: 1
            case .readNotPermitted: 2
            case .writeNotPermitted: 3
            case .invalidPdu: 4
            case .insufficientAuthentication: 5
            case .requestNotSupported: 6
            case .invalidOffset: 7
            case .insufficientAuthorization: 8
            case .prepareQueueFull: 9
            case .attributeNotFound: 10
            case .attributeNotLong: 11
            case .insufficientEncryptionKeySize: 12
            case .invalidAttributeValueLength: 13
            case .unlikelyError: 14
            case .insufficientEncryption: 15
            case .unsupportedGroupType: 16
            case .insufficientResources: 17
            case .other(let number): number
            }
        }
    }

    /// The error as Foundation's class.
    public let _nsError: NSError

    /// Creates an error from Foundation's class, whose domain must be `CBATTErrorDomain`.
    public init(_nsError error: NSError) { _nsError = error.described(Code.text(error.code)) }

    /// `CBATTErrorDomain`.
    public static var _nsErrorDomain: String { CBATTErrorDomain }
}

extension CBATTError {
    /// There was no error.
    public static var success: Code { .success }
    /// The handle is not valid.
    public static var invalidHandle: Code { .invalidHandle }
    /// The attribute cannot be read.
    public static var readNotPermitted: Code { .readNotPermitted }
    /// The attribute cannot be written.
    public static var writeNotPermitted: Code { .writeNotPermitted }
    /// The request is not valid.
    public static var invalidPdu: Code { .invalidPdu }
    /// The link is not authenticated.
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    /// The peripheral does not support the request.
    public static var requestNotSupported: Code { .requestNotSupported }
    /// The offset is past the end of the value.
    public static var invalidOffset: Code { .invalidOffset }
    /// The peripheral does not authorize this client.
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    /// The queue of prepared writes is full.
    public static var prepareQueueFull: Code { .prepareQueueFull }
    /// There is no such attribute.
    public static var attributeNotFound: Code { .attributeNotFound }
    /// The attribute cannot be read in parts.
    public static var attributeNotLong: Code { .attributeNotLong }
    /// The key of the link is too short.
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    /// The value has the wrong length.
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    /// An unlikely error.
    public static var unlikelyError: Code { .unlikelyError }
    /// The link is not encrypted.
    public static var insufficientEncryption: Code { .insufficientEncryption }
    /// The attribute type is not a grouping type.
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    /// The peripheral lacks the resources.
    public static var insufficientResources: Code { .insufficientResources }
}
