import Glibc

/// A D-Bus error, which a peer sent or which occurred on this side.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name, such as `org.freedesktop.DBus.Error.UnknownMethod`.
    public var name: String
    /// The error's text, which may be empty.
    public var message: String
    /// Whether the error occurred on this side (a timeout, a closed connection, invalid input), rather than being sent
    /// by the peer.
    public var isLocal: Bool

    /// Creates an error with the name and text of a peer's error, or of one to be sent.
    public init(name: String, message: String, isLocal: Bool = false) {
        self.name = name
        self.message = message
        self.isLocal = isLocal
    }

    /// The name and the message, as one line.
    public var description: String {
        message.isEmpty ? name : "\(name): \(message)"
    }

    /// Returns the error of a connection that is closed or was lost.
    public static func disconnected(_ message: String = "The connection to the bus is closed") -> DBusError {
        DBusError(name: Name.disconnected, message: message, isLocal: true)
    }

    /// Returns the error of a call whose reply did not arrive within the timeout.
    public static func timedOut(_ message: String) -> DBusError {
        DBusError(name: Name.timeout, message: message, isLocal: true)
    }

    /// Returns the error of a message with an unexpected body, or of a value that cannot be sent.
    public static func invalidArguments(_ message: String) -> DBusError {
        DBusError(name: Name.invalidArguments, message: message, isLocal: true)
    }

    static let noMemory = DBusError(
        name: Name.noMemory, message: "The library libdbus ran out of memory", isLocal: true)

    package static func system(_ function: String, _ code: CInt) -> DBusError {
        let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return DBusError(name: Name.failed, message: "\(function): \(text)", isLocal: true)
    }
}

extension DBusError {
    /// The error names of the D-Bus specification that this module uses.
    public enum Name {
        private static let prefix = "org.freedesktop.DBus.Error."
        /// A failure for which there is no other name.
        public static let failed = prefix + "Failed"
        /// There is no memory left.
        public static let noMemory = prefix + "NoMemory"
        /// The called name has no owner, and no service can be started for it.
        public static let serviceUnknown = prefix + "ServiceUnknown"
        /// The name has no owner.
        public static let nameHasNoOwner = prefix + "NameHasNoOwner"
        /// The peer left the bus before it replied.
        public static let noReply = prefix + "NoReply"
        /// The policy of the bus refuses the message.
        public static let accessDenied = prefix + "AccessDenied"
        /// Authentication with the bus failed.
        public static let authenticationFailed = prefix + "AuthFailed"
        /// The connection is closed.
        public static let disconnected = prefix + "Disconnected"
        /// The request is not supported.
        public static let notSupported = prefix + "NotSupported"
        /// The arguments are invalid.
        public static let invalidArguments = prefix + "InvalidArgs"
        /// A value has another type than expected.
        public static let invalidSignature = prefix + "InvalidSignature"
        /// No reply arrived in time.
        public static let timeout = prefix + "Timeout"
        /// The object has no such method.
        public static let unknownMethod = prefix + "UnknownMethod"
        /// There is no such object.
        public static let unknownObject = prefix + "UnknownObject"
        /// The object has no such interface.
        public static let unknownInterface = prefix + "UnknownInterface"
        /// The interface has no such property.
        public static let unknownProperty = prefix + "UnknownProperty"
        /// The property cannot be set.
        public static let propertyReadOnly = prefix + "PropertyReadOnly"
        /// A limit of the bus is reached.
        public static let limitsExceeded = prefix + "LimitsExceeded"
    }
}
