import BlueZJSONLine
import BlueZPrintableText
import CoreBlueZ
import FoundationEssentials

/// The meaning of a value, given the assigned number of its attribute.
struct ReadableValue: Equatable {
    /// For machines; nil if the device reports an unknown value.
    var decoded: JSONValue?
    /// The unit of `decoded`.
    var unit: String?
    /// For users, with the unit.
    var text: String

    /// The meaning given by the assigned number; nil if there is none, or if the value does not fit.
    static func known(_ data: Data, _ uuid: BluetoothUUID) -> ReadableValue? {
        guard let number = uuid.short else { return nil }
        return string(data, number) ?? Quantity.of(number)?.read(data) ?? choice(data, number)
            ?? structure(ValueReader(data), number)
    }

    /// For users: the meaning if known; otherwise hexadecimal, and text if it looks like text.
    static func text(_ data: Data, _ uuid: BluetoothUUID) -> String {
        known(data, uuid)?.text ?? unknown(data)
    }

    /// For users who inspect bytes: the bytes, and the meaning if known.
    static func textWithBytes(_ data: Data, _ uuid: BluetoothUUID) -> String {
        guard let known = known(data, uuid) else { return unknown(data) }
        let hex = hexadecimal(data)
        if case .text(known.text)? = known.decoded { return "\(hex) \"\(known.text.escapedForTerminal())\"" }
        return "\(hex) (\(known.text))"
    }

    private static func unknown(_ data: Data) -> String {
        guard data.count >= 3, let text = String(validating: data, as: UTF8.self), text.escapedForTerminal() == text
        else { return hexadecimal(data) }
        return "\(hexadecimal(data)) \"\(text)\""
    }

    private static func hexadecimal(_ data: Data) -> String {
        data.isEmpty ? "(empty)" : ValueFormat.hex(data)
    }

    // MARK: Strings

    private static func string(_ data: Data, _ number: UInt16) -> ReadableValue? {
        guard [0x2A00, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29, 0x2901].contains(number),
            let all = String(validating: data, as: UTF8.self)
        else { return nil }
        // Strings are often padded with zeros.
        let text = String(all.prefix { $0 != "\0" })
        return ReadableValue(decoded: .text(text), text: text)
    }

    // MARK: Choices

    /// A number that means a word. `decoded` is the number.
    private static func choice(_ data: Data, _ number: UInt16) -> ReadableValue? {
        var reader = ValueReader(data)
        switch number {
        case 0x2A01, 0x2902:
            guard let value = reader.unsigned(2), reader.isAtEnd else { return nil }
            let text = number == 0x2902 ? subscription(value) : AssignedNumbers.appearanceName(UInt16(value))
            return ReadableValue(decoded: .unsigned(value), text: text ?? "\(value)")
        case 0x2A06, 0x2A38:
            guard let value = reader.unsigned(1), reader.isAtEnd else { return nil }
            let words = number == 0x2A06 ? alertLevels : bodyLocations
            let text = value < words.count ? words[Int(value)] : "\(value)"
            return ReadableValue(decoded: .unsigned(value), text: text)
        default: return nil
        }
    }

    private static let alertLevels = ["no alert", "mild alert", "high alert"]
    private static let bodyLocations = ["other", "chest", "wrist", "finger", "hand", "ear lobe", "foot"]

    private static func subscription(_ bits: UInt64) -> String? {
        switch bits {
        case 0: "off"
        case 1: "notifications"
        case 2: "indications"
        case 3: "notifications, indications"
        default: nil
        }
    }
}
