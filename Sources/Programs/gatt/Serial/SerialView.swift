import BlueZPrintableText
import FoundationEssentials

/// Shows a device's data, which arrive in pieces.
struct SerialView {
    /// The presentation.
    enum Style {
        /// Unchanged bytes.
        case bytes
        /// As harmless text: CR, LF and CR LF begin a line; other control characters are escaped.
        case text
        /// As a dump: the position, 16 bytes, and their characters in ASCII. Each piece begins a line.
        case hexadecimal
    }

    let style: Style
    private var pending: [UInt8] = []
    private var isBehindCarriageReturn = false
    private var place: UInt64 = 0

    init(_ style: Style) {
        self.style = style
    }

    mutating func show(_ bytes: Data) -> Data {
        switch style {
        case .bytes: bytes
        case .text: Data(text(bytes, isLast: false).utf8)
        case .hexadecimal: Data(dump(Array(bytes)).utf8)
        }
    }

    /// The bytes of a character that was never completed.
    mutating func finish() -> Data {
        style == .text ? Data(text(Data(), isLast: true).utf8) : Data()
    }

    // MARK: Text

    private mutating func text(_ bytes: Data, isLast: Bool) -> String {
        let all = pending + bytes
        pending = []
        var result = ""
        var index = 0
        while index < all.count {
            let length = Self.length(all[index])
            let end = index + length
            if end <= all.count, let character = String(validating: all[index..<end], as: UTF8.self) {
                append(character, to: &result)
                index = end
            } else if end > all.count, !isLast, all[(index + 1)...].allSatisfy({ $0 & 0xC0 == 0x80 }) {
                pending = Array(all[index...])
                break
            } else {
                result += "\\x" + String(hexadecimal: all[index], digits: 2)
                isBehindCarriageReturn = false
                index += 1
            }
        }
        return result
    }

    /// How many bytes a character with this first byte has.
    private static func length(_ byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    private mutating func append(_ character: String, to result: inout String) {
        defer { isBehindCarriageReturn = character == "\r" }
        switch character {
        case "\r": result += "\n"
        case "\n": if !isBehindCarriageReturn { result += "\n" }
        case "\t": result += "\t"
        default: result += character.escapedForTerminal()
        }
    }

    // MARK: Dump

    private mutating func dump(_ bytes: [UInt8]) -> String {
        var result = ""
        for start in stride(from: 0, to: bytes.count, by: 16) {
            let row = bytes[start..<min(start + 16, bytes.count)]
            let digits = row.map { String(hexadecimal: $0, digits: 2) }.joined(separator: " ")
            let padding = String(repeating: " ", count: 47 - digits.count)
            let characters = row.map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "." }
            result += String(hexadecimal: place, digits: 8) + "  \(digits)\(padding)  |\(String(characters))|\n"
            place += UInt64(row.count)
        }
        return result
    }
}
