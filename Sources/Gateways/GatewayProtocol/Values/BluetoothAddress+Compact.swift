import BlueZPrintableText
import BlueZValues

/// The form of addresses in topics: twelve digits, such as "BC6A29AC166B".
extension BluetoothAddress {
    /// Creates an address from twelve hexadecimal digits; nil for other text.
    package init?(compact text: String) {
        guard text.utf8.count == 12, let bytes = [UInt8](hexadecimal: text) else { return nil }
        self.init(bytes.map { String(hexadecimal: $0, digits: 2) }.joined(separator: ":"))
    }

    /// The address without colons.
    package var compact: String { String(hexadecimal: value, digits: 12, uppercase: true) }
}
