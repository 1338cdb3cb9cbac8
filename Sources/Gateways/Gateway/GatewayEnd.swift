import GatewayProtocol

/// The reason why a gateway ended.
public enum GatewayEnd: Hashable, Sendable, CustomStringConvertible {
    /// `Gateway.end` was called.
    case ended
    /// The broker refused the gateway, or can never be reached with this configuration.
    case refused(BrokerError)
    /// Another gateway with this name is online.
    case nameTaken(GatewayName)
    /// The state file cannot be used, for the reason in the text.
    case stateFileUnusable(String)

    /// A message that says what happened and what to do.
    public var description: String {
        switch self {
        case .ended: "The gateway was ended"
        case .refused(let error): "The broker refused the gateway: \(error)"
        case .nameTaken(let name): "A gateway named \(name) is online already; choose another name with --name"
        case .stateFileUnusable(let text): text
        }
    }
}
