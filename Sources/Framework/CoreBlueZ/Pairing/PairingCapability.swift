/// The input and output that a program offers its user. Together with the peer's capability, it decides how the two
/// pair: which side shows a number, which side types it, whether the user compares numbers, or none of these (Bluetooth
/// Core Specification, Vol 3, Part H, 2.3.5.1).
public enum PairingCapability: String, Hashable, Sendable, CaseIterable {
    /// Can show a passkey, but cannot ask.
    case displayOnly = "DisplayOnly"
    /// Can show a number and ask for yes or no.
    case displayYesNo = "DisplayYesNo"
    /// Can ask for a passkey, but cannot show one.
    case keyboardOnly = "KeyboardOnly"
    /// Can neither show nor ask: "Just Works", which protects from eavesdroppers, but not from a man in the middle.
    case noInputNoOutput = "NoInputNoOutput"
    /// Can do all of these.
    case keyboardDisplay = "KeyboardDisplay"
}
