/// What a program can show to a person and be told by one. With the peer's, it decides how the two pair: who shows a
/// number, who types it, whether people compare, or nothing of it (Bluetooth Core Specification, Vol 3, Part H, 2.3.5.1).
public enum PairingCapability: String, Hashable, Sendable, CaseIterable {
    /// Can show a passkey; nobody can answer.
    case displayOnly = "DisplayOnly"
    /// Can show a number and be told yes or no.
    case displayYesNo = "DisplayYesNo"
    /// Can be told a passkey; shows nothing.
    case keyboardOnly = "KeyboardOnly"
    /// Nobody sees or types anything: "Just Works", which keeps out listeners but not somebody in the middle.
    case noInputNoOutput = "NoInputNoOutput"
    /// Can do all of it.
    case keyboardDisplay = "KeyboardDisplay"
}
