import BlueZPrintableText

extension JSONParser {
    /// The string that begins with the next byte, a quotation mark.
    mutating func string() throws(FileError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                text += try escape().utf8
            case 0..<0x20: throw unexpected("the end of a string, \" or an escape like \\n")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw unexpected("the end of a string, \"")
    }

    /// Reads the rest of an escape sequence, after its backslash.
    private mutating func escape() throws(FileError) -> String {
        let plain: [(Unicode.Scalar, String)] = [
            ("\"", "\""), ("\\", "\\"), ("/", "/"), ("n", "\n"), ("r", "\r"), ("t", "\t"), ("b", "\u{8}"),
            ("f", "\u{c}"),
        ]
        for (letter, text) in plain where skip(letter) { return text }
        guard skip("u") else { throw unexpected("one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u") }
        var value = try fourDigits()
        // Two escapes are the halves of a character beyond U+FFFF.
        if (0xD800..<0xDC00).contains(value), skip("\\"), skip("u") {
            let low = try fourDigits()
            value = (0xDC00..<0xE000).contains(low) ? 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00) : value
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw FileError(line, "An escape \\u\(String(value, radix: 16)) is half a character: write both halves")
        }
        return String(scalar)
    }

    private mutating func fourDigits() throws(FileError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next?.hexadecimalDigit else { throw unexpected("a hexadecimal digit of \\u") }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    /// The number that begins with the next byte, as it is written.
    mutating func number() throws(FileError) -> String {
        let start = position
        _ = skip("-")
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(FileError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw unexpected("a digit") }
    }
}
