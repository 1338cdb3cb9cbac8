/// How a simulated peripheral pairs.
public struct PairingBehaviour: Hashable, Sendable {
    /// The input and output that the peripheral offers its user (Bluetooth Core Specification, Vol 3, Part H, 2.3.5.1).
    public enum InputOutput: String, Hashable, Sendable, CaseIterable {
        /// Neither keys nor a display.
        case none
        /// A display.
        case displayOnly = "display-only"
        /// A display and two buttons.
        case displayYesNo = "display-yes-no"
        /// Keys.
        case keyboardOnly = "keyboard-only"
        /// Both.
        case keyboardDisplay = "keyboard-display"
    }

    /// The input and output that it offers its user.
    public var inputOutput: InputOutput
    /// Whether it requires protection against man-in-the-middle attacks, so that a number is compared or typed.
    public var wantsAuthentication: Bool
    /// Whether it supports LE Secure Connections; if not, pairing is as in Bluetooth 4.0.
    public var hasSecureConnections = true
    /// Whether it keeps the keys.
    public var bonds = true
    /// Whether it agrees to pair at all.
    public var accepts = true
    /// Whether its user confirms that the numbers match.
    public var confirms = true
    /// Whether it responds during pairing; if not, the attempt times out.
    public var responds = true
    /// Whether its user immediately types the passkey that the other side shows; otherwise `enterPasskey` does.
    public var typesShownPasskey = false
    /// The passkey that it shows; nil generates one.
    public var passkey: UInt32?

    /// Makes a behaviour; by default "Just Works".
    public init(_ inputOutput: InputOutput = .none, wantsAuthentication: Bool = false) {
        self.inputOutput = inputOutput
        self.wantsAuthentication = wantsAuthentication
    }
}
