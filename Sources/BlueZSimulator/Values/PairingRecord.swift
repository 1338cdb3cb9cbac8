/// What pairing showed to a simulated peripheral's user, and what is left of it.
public struct PairingRecord: Hashable, Sendable {
    /// Whether a passkey was asked for.
    public internal(set) var isAsked = false
    /// The passkey that was shown.
    public internal(set) var shown: UInt32?
    /// The number that was to be compared.
    public internal(set) var compared: UInt32?
    /// Why the attempt failed, by the names of the Security Manager's reasons (Vol 3, Part H, 3.5.5).
    public internal(set) var failure: String?
}
