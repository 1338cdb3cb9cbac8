import BlueZPrintableText

/// The error for an unknown word in the place of a command.
package enum UnknownCommand {
    /// The message for a command line; nil if its command is known, or if it begins with an option.
    ///
    /// - Parameters:
    ///   - words: the arguments. After `help` the second one names the command.
    ///   - commands: the names of all commands, in the order of the help.
    ///   - allowsOthers: whether the first word may be something else; then only likely typing errors are reported.
    package static func message(
        for words: [String],
        commands: [String],
        allowsOthers: Bool = false
    ) -> String? {
        let isHelp = words.first == "help"
        guard let word = isHelp ? words.dropFirst().first : words.first, !word.hasPrefix("-"),
            !commands.contains(word), word != "help"
        else { return nil }
        let suggestion = word.nearest(among: commands)
        if allowsOthers, !isHelp, suggestion == nil { return nil }
        let question = suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
        let list = "Commands: \(commands.joined(separator: ", "))".split(separator: " ")
        return "There is no command \"\(word)\"\(question)\n"
            + ExitStatus.lines(list, columns: 76).joined(separator: "\n  ")
    }
}
