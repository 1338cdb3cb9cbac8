/// The behaviour of a simulated peripheral in pairing.
public struct PairingBehaviour: Hashable, Sendable {
    /// The input and output that the peripheral offers its user (Bluetooth Core Specification, Vol 3, Part H, 2.3.5.1).
    public enum InputOutput: String, Hashable, Sendable, CaseIterable {
        /// Neither keys nor a display.
        case none
        /// A display, but no keys.
        case displayOnly = "display-only"
        /// A display and two buttons.
        case displayYesNo = "display-yes-no"
        /// Keys, but no display.
        case keyboardOnly = "keyboard-only"
        /// Keys and a display.
        case keyboardDisplay = "keyboard-display"
    }

    /// The input and output that the peripheral offers its user; none by default.
    public var inputOutput: InputOutput
    /// Whether the peripheral requires protection from a man in the middle, so that a number is compared or typed.
    public var wantsAuthentication: Bool
    /// Whether the peripheral supports LE Secure Connections. Otherwise, pairing is that of Bluetooth 4.0.
    public var hasSecureConnections = true
    /// Whether the peripheral keeps the keys.
    public var bonds = true
    /// Whether the peripheral agrees to pair at all.
    public var accepts = true
    /// Whether the peripheral's user confirms that the numbers match.
    public var confirms = true
    /// Whether the peripheral responds during pairing. Otherwise, the attempt times out.
    public var responds = true
    /// Whether the peripheral's user immediately types the passkey that the other side shows. Otherwise, call
    /// `enterPasskey`.
    public var typesShownPasskey = false
    /// The passkey that the peripheral shows; nil generates one.
    public var passkey: UInt32?

    /// Creates a behaviour; by default, "Just Works".
    public init(_ inputOutput: InputOutput = .none, wantsAuthentication: Bool = false) {
        self.inputOutput = inputOutput
        self.wantsAuthentication = wantsAuthentication
    }
}
