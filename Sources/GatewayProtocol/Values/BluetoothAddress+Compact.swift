import BluetoothValues
import PrintableText

/// In topics an address has twelve digits, such as "BC6A29AC166B".
extension BluetoothAddress {
    /// Reads twelve hexadecimal digits; nil if there is anything else.
    package init?(compact text: String) {
        guard text.utf8.count == 12, let bytes = [UInt8](hexadecimal: text) else { return nil }
        self.init(bytes.map { String(hexadecimal: $0, digits: 2) }.joined(separator: ":"))
    }

    /// Without colons.
    package var compact: String { String(hexadecimal: value, digits: 12, uppercase: true) }
}
