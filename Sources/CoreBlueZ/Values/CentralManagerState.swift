/// Whether Bluetooth can be used and, if not, the reason.
public enum CentralManagerState: String, Codable, Sendable {
    /// Not known yet: bluetoothd has not replied.
    case unknown
    /// bluetoothd or the connection to it was lost; the next state follows.
    case resetting
    /// bluetoothd is not running, or it has no adapter.
    case unsupported
    /// The policy of the bus does not let this user access bluetoothd.
    case unauthorized
    /// The adapter is off, or blocked by rfkill.
    case poweredOff
    /// Bluetooth can be used.
    case poweredOn
}
