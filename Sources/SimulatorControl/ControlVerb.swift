/// The verbs of the control channel.
enum ControlVerb: String, CaseIterable, Sendable {
    case capabilities, reset, advertise, disconnect, vanish, `return`, notify, set, fail, delay
    case addService = "add-service"
    case removeService = "remove-service"
    case pairing
    case pairingState = "pairing-state"
    case enterPasskey = "enter-passkey"
    case forget, log
}
