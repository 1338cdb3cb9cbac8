/// The input and output that a program offers its user. Together with the peer's, it decides how the two pair: who
/// shows a number, who types it, whether the user compares, or none of it (Bluetooth Core Specification, Vol 3, Part H,
/// 2.3.5.1).
public enum PairingCapability: String, Hashable, Sendable, CaseIterable {
    /// Can show a passkey, without any answer.
    case displayOnly = "DisplayOnly"
    /// Can show a number and ask for yes or no.
    case displayYesNo = "DisplayYesNo"
    /// Can ask for a passkey; shows nothing.
    case keyboardOnly = "KeyboardOnly"
    /// Shows and asks nothing: "Just Works", which protects from listeners but not from a man in the middle.
    case noInputNoOutput = "NoInputNoOutput"
    /// Can do all of these.
    case keyboardDisplay = "KeyboardDisplay"
}
