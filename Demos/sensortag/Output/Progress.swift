import SystemPackage

/// What the command is doing, for people: the standard error.
enum Progress {
    static func say(_ message: String) {
        write(TerminalText.escaped(message, keepsLineBreaks: true) + "\n")
    }

    static func error(_ message: String) {
        write(TerminalText.escaped("sensortag: \(message)\n", keepsLineBreaks: true))
    }

    /// Replaces the line that the cursor is in. Only on terminals.
    static func line(_ text: String) {
        write("\r\(TerminalText.escaped(text))\u{1B}[K")
    }

    /// Ends such a line.
    static func endLine() {
        write("\n")
    }

    /// Where nobody can be told, there is nothing to do about it.
    private static func write(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }
}
