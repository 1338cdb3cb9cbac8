/// How a simulated peripheral pairs.
public struct PairingBehaviour: Hashable, Sendable {
    /// What the peripheral has for its user (Bluetooth Core Specification, Vol 3, Part H, 2.3.5.1).
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

    /// What it has for its user.
    public var inputOutput: InputOutput
    /// Whether it asks for protection from somebody in the middle, so that a number is compared or typed.
    public var wantsAuthentication: Bool
    /// Whether it knows LE Secure Connections; without, pairing is as in Bluetooth 4.0.
    public var hasSecureConnections = true
    /// Whether it keeps the keys.
    public var bonds = true
    /// Whether it agrees to pair at all.
    public var accepts = true
    /// Whether its user says that the numbers are the same.
    public var confirms = true
    /// Whether it says anything in pairing; where it does not, the attempt ends with its time.
    public var answers = true
    /// Whether its user types at once the passkey that the other side shows; else `enterPasskey` does.
    public var typesShownPasskey = false
    /// The passkey that it shows; nil makes one up.
    public var passkey: UInt32?

    /// A behaviour; by default "Just Works".
    public init(_ inputOutput: InputOutput = .none, wantsAuthentication: Bool = false) {
        self.inputOutput = inputOutput
        self.wantsAuthentication = wantsAuthentication
    }
}

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

/// What is left of a pairing.
public struct PairingKeys: Hashable, Sendable {
    /// Whether LE Secure Connections made them.
    public let areSecureConnections: Bool
    /// Whether a number was compared or typed.
    public let areAuthenticated: Bool
}
