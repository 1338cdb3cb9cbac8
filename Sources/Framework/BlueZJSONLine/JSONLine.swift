import BlueZPrintableText
import FoundationEssentials

/// Encodes values as lines of JSON, one object each, that are safe to print. Keys are sorted, and strings escape
/// everything that a terminal, or a program that splits lines, would interpret.
public enum JSONLine {
    /// Returns the value's text in UTF-8, without a line feed at the end.
    ///
    /// - Throws: the error of `JSONEncoder` if JSON has no such value, such as an infinite number.
    public static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(value)
        // ASCII without U+007F, like nearly all lines: JSON has escaped the controls below U+0020.
        if data.allSatisfy({ $0 < 0x7F }) { return data }
        return Data(escaped(String(decoding: data, as: UTF8.self)).utf8)
    }

    /// Returns the value's text, without a line feed at the end.
    ///
    /// - Throws: the same as `data`.
    public static func text(_ value: some Encodable) throws -> String {
        String(decoding: try data(value), as: UTF8.self)
    }

    /// Returns the text with each such character as `\u009b`, or as a surrogate pair if it is above U+FFFF. In JSON
    /// without line breaks such characters occur only in strings, so their escapes mean the same.
    private static func escaped(_ json: String) -> String {
        var result = ""
        for scalar in json.unicodeScalars {
            guard scalar.isUnsafeToPrint else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                result += "\\u" + String(hexadecimal: unit, digits: 4)
            }
        }
        return result
    }
}
