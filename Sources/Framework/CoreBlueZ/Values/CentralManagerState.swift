/// Whether Bluetooth can be used and, if not, the reason.
public enum CentralManagerState: String, Codable, Sendable {
    /// The state is not known, because bluetoothd has not replied yet.
    case unknown
    /// bluetoothd or the connection to it was lost. Another state follows within seconds.
    case resetting
    /// bluetoothd is not running, or it has no adapter.
    case unsupported
    /// The policy of the bus does not let this user access bluetoothd.
    case unauthorized
    /// The adapter is off, or blocked by rfkill.
    case poweredOff
    /// The adapter is on, and Bluetooth can be used.
    case poweredOn
}
