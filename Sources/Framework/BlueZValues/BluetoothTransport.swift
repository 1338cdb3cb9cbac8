/// A kind of Bluetooth, by its name in BlueZ.
public enum BluetoothTransport: String, Hashable, Codable, Sendable {
    /// Bluetooth Low Energy.
    case le
    /// Classic Bluetooth: Basic Rate and Enhanced Data Rate.
    case bredr
    /// Either of them; bluetoothd decides.
    case auto
}
