import BlueZDBus
import BlueZValues

extension ATTError {
    /// dbus_error_to_att_ecode(): the error that a central gets for an application's.
    ///
    /// - Parameter denied: the meaning of `NotPermitted`.
    init(_ error: DBusError, denied: ATTError, version: BlueZVersion) {
        let prefix = "org.bluez.Error."
        guard error.name.hasPrefix(prefix) else {
            self = .unlikelyError
            return
        }
        switch error.name.dropFirst(prefix.count) {
        case "Failed": self = Self.failure(error.message, version)
        case "NotSupported": self = .requestNotSupported
        case "NotAuthorized": self = .insufficientAuthorization
        case "InvalidValueLength": self = .invalidAttributeValueLength
        case "InvalidOffset": self = .invalidOffset
        case "InProgress": self = ATTError(rawValue: 0xFE)
        case "NotPermitted": self = denied
        // In 5.82 and 5.87, not yet in 5.66.
        case "ImproperlyConfigured" where version >= .v5_82: self = ATTError(rawValue: 0xFD)
        default: self = .unlikelyError
        }
    }

    /// The code that the text of a `Failed` consists of, if it is one of an application. bluetoothd 5.55 ignores it.
    private static func failure(_ text: String, _ version: BlueZVersion) -> ATTError {
        guard version >= .v5_66, let code = number(text) else { return ATTError(rawValue: 0x80) }
        return (0x80...0x9F).contains(code) ? ATTError(rawValue: UInt8(code)) : .unlikelyError
    }

    /// strtol() with base 0: nil if the text does not end with the number. An empty text is 0.
    private static func number(_ text: String) -> Int? {
        var digits = text.drop { " \t\n\u{0B}\u{0C}\r".contains($0) }
        if digits.isEmpty { return text.isEmpty ? 0 : nil }
        let isNegative = digits.first == "-"
        if let sign = digits.first, sign == "-" || sign == "+" { digits = digits.dropFirst() }
        var radix = 10
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            radix = 16
            digits = digits.dropFirst(2)
        } else if digits.count > 1, digits.hasPrefix("0") {
            radix = 8
        }
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit), let number = Int(digits, radix: radix) else {
            return nil
        }
        return isNegative ? -number : number
    }
}
