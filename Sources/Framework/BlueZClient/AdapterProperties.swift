import BlueZDBus

/// The mirrored properties of an `org.bluez.Adapter1`.
package struct AdapterProperties {
    package var address: BluetoothAddress?
    package var alias: String?
    package var isPowered = false
    package var powerState: String?
    package var isDiscovering = false
    package var isPairable = false
    /// The kinds of passive monitors; nil if bluetoothd offers none.
    package var monitorTypes: [String]?
    /// Whether bluetoothd is 5.71 or newer, which reports the controller's version.
    package var isFrom571 = false

    /// Applies one property. Unknown ones are left unread.
    mutating func apply(_ name: MessageText, _ reader: inout MessageReader) throws(DBusError) {
        switch name {
        case "Address": address = BluetoothAddress(try reader.readString())
        case "Alias": alias = try reader.readString()
        case "Powered": isPowered = try reader.readBoolean()
        case "Discovering": isDiscovering = try reader.readBoolean()
        case "Pairable": isPairable = try reader.readBoolean()
        case "Version": isFrom571 = true
        case "PowerState": powerState = try reader.readString()
        default: break
        }
    }
}
