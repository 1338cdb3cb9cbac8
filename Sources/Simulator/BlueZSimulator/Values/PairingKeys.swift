/// The keys that a pairing has generated.
public struct PairingKeys: Hashable, Sendable {
    /// Whether the keys were generated with LE Secure Connections.
    public let areSecureConnections: Bool
    /// Whether a number was compared or typed.
    public let areAuthenticated: Bool
}
