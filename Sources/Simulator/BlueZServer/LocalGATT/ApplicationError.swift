import BlueZDBus
import BlueZValues

extension ATTError {
    /// dbus_error_to_att_ecode(): the error that a central gets for an application's.
    ///
    /// - Parameter denied: the meaning of `NotPermitted`.
    init(_ error: DBusError, denied: ATTError, version: BlueZVersion) {
        let name = BlueZErrorName(rawValue: error.name)
        switch name {
        case .failed: self = Self.failure(error.message, version)
        case .notPermitted: self = denied
        // In 5.82 and 5.87, not yet in 5.66.
        case .improperlyConfigured where version < .v5_82: self = .unlikelyError
        default: self = name.flatMap(ATTError.init(applicationErrorName:)) ?? .unlikelyError
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
