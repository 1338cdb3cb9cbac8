extension ExitStatus {
    /// What the statuses of programs that use Bluetooth mean if a program says nothing else.
    public static let bluetooth: [ExitStatus: String] = [
        .unavailable: "Bluetooth is not available", .inputOutput: "the output cannot be written",
        .permission: "the message bus does not permit this user to use bluetoothd",
    ]

    /// The sentence about a signal if a program says nothing else.
    public static let cleanUp = ". The command cleans up first; if that fails, the status is that of the error"

    /// Returns the section of a program's help about exit statuses, in lines of at most 78 columns.
    ///
    /// - Parameters:
    ///   - meanings: what statuses mean, in addition to invalid arguments, a missing /proc and `others`.
    ///   - others: meanings of statuses that are not in `meanings`.
    ///   - ending: the rest of the sentence that begins with the signals that end the program.
    public static func section(
        _ meanings: [ExitStatus: String], _ others: [ExitStatus: String] = bluetooth, ending: String = cleanUp
    ) -> String {
        let common: [ExitStatus: String] = [.usage: "the arguments are invalid", .system: "/proc is not mounted"]
        let all = common.merging(others) { $1 }.merging(meanings) { $1 }
            .map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
        let signals = (Int32(129), "ended by SIGHUP, 130 by Ctrl-C, 143 by SIGTERM\(ending)")
        return (all + [signals]).reduce("Exit status:") { section, line in
            let number = "\(line.0)"
            return section + "\n  \(number)\(String(repeating: " ", count: 5 - number.count))"
                + lines(line.1.split(separator: " "), columns: 71).joined(separator: "\n       ")
        }
    }

    /// Words in lines of at most so many columns.
    static func lines(_ words: [Substring], columns: Int) -> [String] {
        words.reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
