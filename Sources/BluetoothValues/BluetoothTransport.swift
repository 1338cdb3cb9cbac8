/// The two kinds of Bluetooth, by their names in BlueZ.
public enum BluetoothTransport: String, Hashable, Codable, Sendable {
    /// Bluetooth LE.
    case le
    /// Classic Bluetooth: Basic Rate and Enhanced Data Rate.
    case bredr
    /// Either of them.
    case auto
}
