/// A pairing method, which says which side shows a number and which types it (Bluetooth Core Specification, Vol 3, Part
/// H, tables 2.7 and 2.8). "Here" is bluetoothd's side.
enum PairingMethod: Hashable, Sendable {
    case justWorks
    case passkeyTypedHere
    case passkeyTypedThere
    case passkeyTypedOnBoth
    case numericComparison

    /// Creates the method for the capabilities. `capability` uses the agents' names. The side that starts is the
    /// initiator of the tables.
    init(capability: String, _ peer: PairingBehaviour, startedThere: Bool = false) {
        let here = Self.inputOutput(capability)
        guard here != .none || peer.wantsAuthentication else {
            self = .justWorks
            return
        }
        guard startedThere else {
            self = Self.method(here, peer.inputOutput, isSecure: peer.hasSecureConnections)
            return
        }
        self = Self.method(peer.inputOutput, here, isSecure: peer.hasSecureConnections).swapped
    }

    /// The method as the other side sees it.
    private var swapped: PairingMethod {
        switch self {
        case .passkeyTypedHere: .passkeyTypedThere
        case .passkeyTypedThere: .passkeyTypedHere
        default: self
        }
    }

    private static func inputOutput(_ capability: String) -> PairingBehaviour.InputOutput {
        switch capability {
        case "DisplayOnly": .displayOnly
        case "DisplayYesNo": .displayYesNo
        case "KeyboardOnly": .keyboardOnly
        case "NoInputNoOutput": .none
        default: .keyboardDisplay
        }
    }

    /// The method if `here` is the initiator.
    private static func method(
        _ here: PairingBehaviour.InputOutput,
        _ there: PairingBehaviour.InputOutput,
        isSecure: Bool
    ) -> PairingMethod {
        switch (here, there) {
        case (.none, _), (_, .none): .justWorks
        case (.displayOnly, .displayOnly), (.displayOnly, .displayYesNo), (.displayYesNo, .displayOnly): .justWorks
        case (.displayYesNo, .displayYesNo): isSecure ? .numericComparison : .justWorks
        case (.displayYesNo, .keyboardDisplay), (.keyboardDisplay, .keyboardDisplay):
            isSecure ? .numericComparison : .passkeyTypedThere
        case (.keyboardDisplay, .displayYesNo): isSecure ? .numericComparison : .passkeyTypedHere
        case (.keyboardOnly, .keyboardOnly): .passkeyTypedOnBoth
        case (_, .keyboardOnly), (.displayOnly, .keyboardDisplay): .passkeyTypedThere
        case (.keyboardOnly, _), (.keyboardDisplay, .displayOnly): .passkeyTypedHere
        }
    }
}
