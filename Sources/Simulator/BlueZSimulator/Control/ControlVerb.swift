/// The verbs of the control channel.
enum ControlVerb: String, CaseIterable, Sendable {
    case capabilities, reset, advertise, disconnect, vanish, `return`, notify, set, fail, delay
    case addService = "add-service"
    case removeService = "remove-service"
    case pairing
    case pairingState = "pairing-state"
    case enterPasskey = "enter-passkey"
    case forget, log
    case centralAdvertisements = "central-advertisements"
    case centralConnect = "central-connect"
    case centralDisconnect = "central-disconnect"
    case centralVanish = "central-vanish"
    case centralDiscover = "central-discover"
    case centralRead = "central-read"
    case centralWrite = "central-write"
    case centralPrepare = "central-prepare"
    case centralSubscribe = "central-subscribe"
    case centralValues = "central-values"
    case centralConfirm = "central-confirm"
    case centralPair = "central-pair"
    case centralState = "central-state"

    /// Whether it is a verb of the central.
    var concernsCentral: Bool { rawValue.hasPrefix("central-") }
}
