/// How a peripheral is connected.
public enum PeripheralState: String, Codable, Sendable {
    /// There is no link.
    case disconnected
    /// `connect` is under way.
    case connecting
    /// There is a link, made by this program or by another.
    case connected
    /// `disconnect` is under way.
    case disconnecting
}
