import Glibc

/// A D-Bus error: sent by a peer, or found on this side.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name, such as `org.freedesktop.DBus.Error.UnknownMethod`.
    public var name: String
    /// Its text, which may be empty.
    public var message: String
    /// Whether the error was made on this side (a timeout, a closed connection, bad input) rather than by the peer.
    public var isLocal: Bool

    /// Makes an error with the name and text of a peer's error, or of one to be sent.
    public init(name: String, message: String, isLocal: Bool = false) {
        self.name = name
        self.message = message
        self.isLocal = isLocal
    }

    /// Name and message, as one line.
    public var description: String {
        message.isEmpty ? name : "\(name): \(message)"
    }

    /// The connection is closed or was lost.
    public static func disconnected(_ message: String = "The connection to the bus is closed") -> DBusError {
        DBusError(name: Name.disconnected, message: message, isLocal: true)
    }

    /// No reply came within the call's timeout.
    public static func timedOut(_ message: String) -> DBusError {
        DBusError(name: Name.timeout, message: message, isLocal: true)
    }

    /// A message's body is not what was expected, or a value cannot be sent.
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
        /// A general failure.
        public static let failed = prefix + "Failed"
        /// Out of memory.
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
        /// Wrong arguments.
        public static let invalidArguments = prefix + "InvalidArgs"
        /// A value of another type than expected.
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
