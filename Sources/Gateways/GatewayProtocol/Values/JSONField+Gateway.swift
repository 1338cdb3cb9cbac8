import BlueZJSONLine
import BlueZPrintableText
import BlueZValues

extension JSONField<Identifier> {
    static var identifier: JSONField {
        JSONField("32 hexadecimal digits", text: \.description) { Identifier($0) }
    }
}

extension JSONField<GatewayName> {
    package static var gatewayName: JSONField {
        JSONField("1 to 64 letters, digits, _ and -", text: \.description) { GatewayName($0) }
    }
}

extension JSONField<BluetoothAddress> {
    /// Six pairs of digits with colons.
    package static var address: JSONField {
        JSONField("six pairs of hexadecimal digits with colons", text: \.description) { text in
            text.utf8.contains(UInt8(ascii: "-")) ? nil : BluetoothAddress(text)
        }
    }
}

extension JSONField<BluetoothUUID> {
    /// 36 characters. Digits may have either case.
    static var uuid: JSONField {
        JSONField("a UUID of 36 characters", text: \.fullString) { $0.utf8.count == 36 ? BluetoothUUID($0) : nil }
    }
}

extension JSONField<[UInt8]> {
    /// The bytes of an attribute or of AD structures in hexadecimal digits, at most this many.
    static func bytes(limit: Int) -> JSONField {
        JSONField("at most \(2 * limit) hexadecimal digits", text: { String(hexadecimal: $0) }) { text in
            text.utf8.count > 2 * limit ? nil : [UInt8](hexadecimal: text)
        }
    }
}

extension JSONField<String> {
    /// At most this many bytes of UTF-8, without NUL, which D-Bus does not allow.
    package static func text(limit: Int) -> JSONField {
        JSONField("at most \(limit) bytes without NUL", text: { $0 }) { text in
            text.utf8.count <= limit && !text.utf8.contains(0) ? text : nil
        }
    }
}

extension JSONField<BluetoothAddress.Kind> {
    static var addressType: JSONField {
        JSONField("public or random", text: \.rawValue) { BluetoothAddress.Kind(rawValue: $0) }
    }
}

extension BluetoothAddress {
    /// What an address is before it is read.
    static let unread = BluetoothAddress(bits: 0)
}
