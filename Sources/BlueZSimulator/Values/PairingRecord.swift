/// A record of what pairing showed to a simulated peripheral's user, and of its result.
public struct PairingRecord: Hashable, Sendable {
    /// Whether a passkey was requested.
    public internal(set) var isAsked = false
    /// The passkey that was shown.
    public internal(set) var shown: UInt32?
    /// The number to be compared.
    public internal(set) var compared: UInt32?
    /// Why the attempt failed, with the names of the Security Manager's reasons (Vol 3, Part H, 3.5.5).
    public internal(set) var failure: String?
}
