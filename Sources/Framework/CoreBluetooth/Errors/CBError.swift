/// The domain of `CBError`.
public let CBErrorDomain = "CBErrorDomain"

/// An error of Bluetooth. Its `userInfo` has CoreBlueZ's `BluetoothError` as `NSUnderlyingErrorKey`.
public struct CBError: _BridgedStoredNSError {
    /// The codes.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error with these codes.
        public typealias _ErrorType = CBError

        /// An unknown error.
        case unknown = 0
        /// A parameter is invalid.
        case invalidParameters = 1
        /// The attribute is no longer valid.
        case invalidHandle = 2
        /// The peripheral is not connected.
        case notConnected = 3
        /// There is no space left.
        case outOfSpace = 4
        /// The operation was cancelled.
        case operationCancelled = 5
        /// The peripheral did not respond in time.
        case connectionTimeout = 6
        /// The peripheral has ended the link.
        case peripheralDisconnected = 7
        /// The UUID is not permitted.
        case uuidNotAllowed = 8
        /// The peripheral is already advertising.
        case alreadyAdvertising = 9
        /// The link did not come up.
        case connectionFailed = 10
        /// The adapter has no room for another link.
        case connectionLimitReached = 11
        /// The device is not known.
        case unknownDevice = 12
        /// The operation is not supported.
        case operationNotSupported = 13
        /// The peripheral has forgotten its pairing.
        case peerRemovedPairingInformation = 14
        /// The link could not be encrypted in time.
        case encryptionTimedOut = 15
        /// There are too many paired devices.
        case tooManyLEPairedDevices = 16
        /// A background application got too many notifications.
        case leGattExceededBackgroundNotificationLimit = 17
        /// A background application soon has too many notifications.
        case leGattNearBackgroundNotificationLimit = 18

        /// The device is not known. An old misspelling.
        @available(*, deprecated, renamed: "unknownDevice")
        public static var unkownDevice: Code { .unknownDevice }
    }

    /// The error as Foundation's class.
    public let _nsError: NSError

    /// Creates an error from Foundation's class, whose domain must be `CBErrorDomain`.
    public init(_nsError error: NSError) { _nsError = error.described(Code.text(error.code)) }

    /// `CBErrorDomain`.
    public static var _nsErrorDomain: String { CBErrorDomain }

    /// The code; `unknown` if it has no name.
    public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }
}

extension CBError.Code {
    /// Returns whether an error is a `CBError` with this code, for `catch` and `case`. Foundation's operator would stop
    /// the program if the code has no name.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CBError)?.code == code }
}

extension CBError {
    /// An unknown error.
    public static var unknown: Code { .unknown }
    /// A parameter is invalid.
    public static var invalidParameters: Code { .invalidParameters }
    /// The attribute is no longer valid.
    public static var invalidHandle: Code { .invalidHandle }
    /// The peripheral is not connected.
    public static var notConnected: Code { .notConnected }
    /// There is no space left.
    public static var outOfSpace: Code { .outOfSpace }
    /// The operation was cancelled.
    public static var operationCancelled: Code { .operationCancelled }
    /// The peripheral did not respond in time.
    public static var connectionTimeout: Code { .connectionTimeout }
    /// The peripheral has ended the link.
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    /// The UUID is not permitted.
    public static var uuidNotAllowed: Code { .uuidNotAllowed }
    /// The peripheral is already advertising.
    public static var alreadyAdvertising: Code { .alreadyAdvertising }
    /// The link did not come up.
    public static var connectionFailed: Code { .connectionFailed }
    /// The adapter has no room for another link.
    public static var connectionLimitReached: Code { .connectionLimitReached }
    /// The device is not known. An old misspelling.
    @available(*, deprecated, renamed: "unknownDevice")
    public static var unkownDevice: Code { .unknownDevice }
    /// The device is not known.
    public static var unknownDevice: Code { .unknownDevice }
    /// The operation is not supported.
    public static var operationNotSupported: Code { .operationNotSupported }
    /// The peripheral has forgotten its pairing.
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    /// The link could not be encrypted in time.
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
    /// There are too many paired devices.
    public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
    /// A background application got too many notifications.
    public static var leGattExceededBackgroundNotificationLimit: Code { .leGattExceededBackgroundNotificationLimit }
    /// A background application soon has too many notifications.
    public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
}
