/// The state of a peripheral's link.
public enum PeripheralState: String, Codable, Sendable {
    /// There is no link.
    case disconnected
    /// `Peripheral.connect` is in progress.
    case connecting
    /// There is a link, made by this program or by another.
    case connected
    /// `Peripheral.disconnect` is in progress.
    case disconnecting
}
