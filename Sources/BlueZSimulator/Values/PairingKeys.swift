/// The keys from a pairing.
public struct PairingKeys: Hashable, Sendable {
    /// Whether they were made with LE Secure Connections.
    public let areSecureConnections: Bool
    /// Whether a number was compared or typed.
    public let areAuthenticated: Bool
}
