extension String {
    /// The text with everything escaped that a terminal would obey instead of show.
    ///
    /// Whoever is in range chooses a device's name and its values: print them escaped. Control and format characters,
    /// which could move the cursor or turn the text's direction, and characters without a meaning become `\u{1b}` and
    /// the like. The result has one line.
    ///
    /// - Parameter keepingLineBreaks: whether line feeds stay as they are, for messages that quote such a text.
    public func escapedForTerminal(keepingLineBreaks: Bool = false) -> String {
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
    /// Controls, format characters and separators of lines, which a terminal or a program that splits lines would obey,
    /// and what has no meaning that all agree on.
    package var isUnsafeToPrint: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
