extension String {
    /// The text with everything escaped that a terminal would obey instead of show.
    ///
    /// Whoever is in range chooses a device's name and its values: print them escaped. Control and format characters,
    /// which could move the cursor or turn the text's direction, and characters without a meaning become `\u{1b}` and
    /// the like. The result has one line.
    ///
    /// - Parameter keepingLineBreaks: whether line feeds stay as they are; for messages of one's own that quote such a
    ///   text.
    public func escapedForTerminal(keepingLineBreaks: Bool = false) -> String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where keepingLineBreaks && scalar == "\n": result.unicodeScalars.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
