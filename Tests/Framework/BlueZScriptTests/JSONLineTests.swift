import BlueZJSONLine
import BlueZPrintableText
import Foundation
import Testing

@Suite("JSON is safe for terminals") struct JSONLineTests {
    @Test(
        "What a terminal would obey is escaped, and nothing else",
        arguments: [
            ("SensorTag", #"SensorTag"#), ("Küche 1/2 🌡", #"Küche 1/2 🌡"#), ("\"\\", #"\"\\"#),
            ("\u{0}\u{1B}[2J", #"\u0000\u001b[2J"#), ("\u{7F}", #"\u007f"#), ("\u{85}\u{9B}31m", #"\u0085\u009b31m"#),
            ("\u{AD}\u{600}", #"\u00ad\u0600"#), ("\u{200B}\u{200F}", #"\u200b\u200f"#),
            ("\u{202E}gaT\u{202C}", #"\u202egaT\u202c"#), ("a\u{2028}b\u{2029}", #"a\u2028b\u2029"#),
            ("\u{2066}\u{2069}\u{FEFF}", #"\u2066\u2069\ufeff"#), ("\u{E000}", #"\ue000"#),
            ("\u{110BD}\u{1D173}", #"\ud804\udcbd\ud834\udd73"#), ("\u{E0001}\u{E007F}", #"\udb40\udc01\udb40\udc7f"#),
        ])
    func escapes(text: String, escaped: String) throws {
        #expect(try JSONLine.text([text]) == "[\"\(escaped)\"]")
        #expect(try JSONLine.text([text: 1]) == "{\"\(escaped)\":1}")
        #expect(try JSONDecoder().decode([String].self, from: JSONLine.data([text])) == [text])
    }

    @Test("Keys are in order, in one line")
    func order() throws {
        #expect(try JSONLine.text(["b": ["2"], "a": ["1\n"]]) == #"{"a":["1\n"],"b":["2"]}"#)
    }

    @Test("Text and JSON escape the same characters, and JSON loses none")
    func allScalars() throws {
        // All of the planes that have letters or controls, and some of the others.
        var values = Array(UInt32(0)..<0x2_0000)
        values += UInt32(0xE_0000)..<0xE_1000
        values += stride(from: 0x2_0000, to: 0xE_0000, by: 251)
        values += stride(from: 0xE_1000, to: 0x11_0000, by: 251)
        let scalars = values.compactMap { Unicode.Scalar($0) }
        let all = String(String.UnicodeScalarView(scalars))
        let json = try JSONLine.text([all])
        // JSON has short escapes for some of the first, for the quotation mark and for the backslash.
        let rest = scalars.filter { $0.value > 0x20 && !"\"\\".unicodeScalars.contains($0) }
        let expected = rest.map { scalar in
            let text = String(scalar)
            if text.escapedForTerminal() == text { return text }
            return text.utf16.map { "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst() }.joined()
        }
        #expect(try JSONLine.text([String(String.UnicodeScalarView(rest))]) == "[\"\(expected.joined())\"]")
        let decoded = try JSONDecoder().decode([String].self, from: Data(json.utf8))
        #expect(decoded.map { Array($0.unicodeScalars) } == [scalars])
    }
}
