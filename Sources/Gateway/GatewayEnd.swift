import GatewayProtocol

/// Why a gateway ended.
public enum GatewayEnd: Hashable, Sendable, CustomStringConvertible {
    /// `Gateway.end` was called.
    case ended
    /// The broker refused the gateway, or can never be reached with this configuration.
    case refused(BrokerError)
    /// Another gateway with the name is online.
    case nameTaken(GatewayName)
    /// The state file cannot be used; the text says why.
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
