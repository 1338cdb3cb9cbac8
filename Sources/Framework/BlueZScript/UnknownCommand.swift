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
        let suggestion = nearest(to: word, among: commands)
        if allowsOthers, !isHelp, suggestion == nil { return nil }
        let question = suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
        return "There is no command \"\(word)\"\(question)\n" + list(commands)
    }

    /// The name that was probably meant: the nearest one with at most two typing errors, or one if it is short.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        let near = names.map { (name: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= ($0.name.count < 6 ? 1 : 2) }
        if let best = near.min(by: { $0.distance < $1.distance }) { return best.name }
        let longer = names.filter { $0.hasPrefix(word) }
        return longer.count == 1 && word.count > 1 ? longer.first : nil
    }

    /// How many letters must be inserted, removed, replaced, or exchanged with the next one.
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var before: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                let replaced = last[column] + (one[row] == other[column] ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    least = min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            (before, last) = (last, current)
        }
        return last[other.count]
    }

    /// The names in lines of at most 78 columns.
    private static func list(_ commands: [String]) -> String {
        var lines = ["Commands:"]
        for (index, command) in commands.enumerated() {
            let word = " " + command + (index == commands.count - 1 ? "" : ",")
            if lines[lines.count - 1].count + word.count > 78 { lines.append(" ") }
            lines[lines.count - 1] += word
        }
        return lines.joined(separator: "\n")
    }
}
