extension String {
    /// Returns the text with all characters escaped that a terminal would interpret.
    ///
    /// Devices in range can choose their names and values freely, so escape them before you print them. Control and
    /// format characters, which could move the cursor or reverse the text's direction, and unassigned characters become
    /// `\u{1b}` and the like. The result is a single line. Escaping it again changes nothing.
    ///
    /// - Parameter keepingLineBreaks: whether to keep line feeds, for messages that quote such a text.
    public func escapedForTerminal(keepingLineBreaks: Bool = false) -> String {
        // The fast path for most texts.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isUnsafeToPrint, !(keepingLineBreaks && scalar == "\n") {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Controls, format characters and line separators, which a terminal or a program that splits lines would
    /// interpret, and characters without an agreed meaning.
    package var isUnsafeToPrint: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
