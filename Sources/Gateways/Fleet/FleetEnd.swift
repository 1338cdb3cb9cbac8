import GatewayProtocol

/// The reason why a fleet ended.
public enum FleetEnd: Hashable, Sendable, CustomStringConvertible {
    /// `Fleet.end` was called.
    case ended
    /// The broker refused the fleet, or can never be reached with this configuration.
    case refused(BrokerError)

    /// A message that says what happened and what to do.
    public var description: String {
        switch self {
        case .ended: "The fleet was ended"
        case .refused(let error): "The broker refused the fleet: \(error)"
        }
    }
}
