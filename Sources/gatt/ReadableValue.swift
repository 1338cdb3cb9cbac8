import CoreBlueZ
import FoundationEssentials
import PrintableText

/// Values whose format nobody gave.
enum ReadableValue {
    /// What the assigned number of the attribute tells of the value; nil where it tells nothing or does not fit.
    static func known(_ data: Data, _ uuid: BluetoothUUID) -> JSONValue? {
        guard let format = ValueFormat.known(uuid) else { return nil }
        guard case .text(let text)? = try? format.decode(data) else { return try? format.decode(data) }
        // Strings are often padded with zeros.
        return .text(String(text.prefix { $0 != "\0" }))
    }

    /// For people: hexadecimal, and what it means where that is known, or as text where it looks like one.
    static func text(_ data: Data, _ uuid: BluetoothUUID) -> String {
        let hex = data.isEmpty ? "(empty)" : ValueFormat.hex(data)
        if let known = known(data, uuid) {
            if case .text(let text) = known { return "\(hex) \"\(text.escapedForTerminal())\"" }
            return "\(hex) (\(known.text))"
        }
        guard data.count >= 3, let text = String(validating: data, as: UTF8.self),
            text.escapedForTerminal() == text
        else { return hex }
        return "\(hex) \"\(text)\""
    }
}
