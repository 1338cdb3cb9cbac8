/// Text that comes from a device, made safe for terminals and for lists of one entry a line.
enum TerminalText {
    /// Control and format characters, which could move the cursor or turn the text's direction, become `\u{...}`.
    static func escaped(_ text: String, keepsLineBreaks: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where keepsLineBreaks && scalar == "\n": result.unicodeScalars.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
