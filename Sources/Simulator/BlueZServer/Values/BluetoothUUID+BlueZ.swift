import BlueZValues

extension BluetoothUUID {
    /// Creates a UUID from text that bluetoothd accepts: 4, 8 or 36 characters (lib/uuid.c: bt_string_to_uuid). Nil for
    /// other text, such as 32 digits without hyphens.
    init?(bluez text: String) {
        guard text.utf8.count != 32 else { return nil }
        self.init(text)
    }
}

extension BluetoothUUID {
    package static let genericAccess: BluetoothUUID = 0x1800
    package static let genericAttribute: BluetoothUUID = 0x1801
    static let deviceInformation: BluetoothUUID = 0x180A
    static let battery: BluetoothUUID = 0x180F
    static let humanInterfaceDevice: BluetoothUUID = 0x1812
    package static let deviceName: BluetoothUUID = 0x2A00
    package static let appearance: BluetoothUUID = 0x2A01
    package static let serviceChanged: BluetoothUUID = 0x2A05
    static let batteryLevel: BluetoothUUID = 0x2A19
    static let pnpIdentifier: BluetoothUUID = 0x2A50
    package static let centralAddressResolution: BluetoothUUID = 0x2AA6
    static let clientSupportedFeatures: BluetoothUUID = 0x2B29
    static let extendedProperties: BluetoothUUID = 0x2900
    package static let clientConfiguration: BluetoothUUID = 0x2902
}
