import BlueZValues

extension BluetoothUUID {
    /// Creates a UUID from text that bluetoothd accepts: 4, 8 or 36 characters (lib/uuid.c: bt_string_to_uuid). Nil for
    /// other text, such as 32 digits without hyphens.
    init?(bluez text: String) {
        guard text.utf8.count != 32 else { return nil }
        self.init(text)
    }
}
