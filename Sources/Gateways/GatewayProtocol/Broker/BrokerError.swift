/// An error of the connection to a broker.
public struct BrokerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Hashable, Sendable {
        /// An option or a file cannot be used.
        case configuration
        /// The broker cannot be reached, because its name is unknown or no program listens there.
        case unreachable
        /// TLS failed, for example because a certificate is not trusted.
        case tls
        /// There is no connection, or it was lost.
        case notConnected
        /// The broker does not speak MQTT 5 (reason code 0x84).
        case unsupportedVersion
        /// The user name or password is wrong (reason code 0x86).
        case badCredentials
        /// The broker does not allow this client, topic or subscription (reason codes 0x87 and 0x8A).
        case notAuthorized
        /// Another client has connected with this client's identifier (reason code 0x8E).
        case takenOver
        /// A quota or limit of the broker or of the local queue is reached (reason codes 0x93, 0x96 and 0x97).
        case quotaExceeded
        /// The message is larger than the broker allows (reason code 0x95).
        case tooLarge
        /// Another error occurred.
        case other
    }

    /// The kind of error, for programs.
    public var code: Code
    /// The message, with escaped text if it comes from the broker.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
