/// What is left of a pairing.
public struct PairingKeys: Hashable, Sendable {
    /// Whether LE Secure Connections made them.
    public let areSecureConnections: Bool
    /// Whether a number was compared or typed.
    public let areAuthenticated: Bool
}
