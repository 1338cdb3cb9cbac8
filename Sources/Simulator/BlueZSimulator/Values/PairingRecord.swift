/// A record of what pairing showed to a simulated peripheral's user, and of its result.
public struct PairingRecord: Hashable, Sendable {
    /// Whether a passkey was requested.
    public internal(set) var isAsked = false
    /// The passkey that the peripheral showed, or nil.
    public internal(set) var shown: UInt32?
    /// The number that the user was asked to compare, or nil.
    public internal(set) var compared: UInt32?
    /// The reason why the attempt failed, with the names of the Security Manager (Vol 3, Part H, 3.5.5); nil if it
    /// succeeded.
    public internal(set) var failure: String?
}
