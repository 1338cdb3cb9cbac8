/// The two kinds of Bluetooth, by the names that BlueZ has for them.
public enum BluetoothTransport: String, Hashable, Codable, Sendable {
    /// Bluetooth LE.
    case le
    /// Classic Bluetooth: Basic Rate and Enhanced Data Rate.
    case bredr
    /// Whichever there is.
    case auto
}
