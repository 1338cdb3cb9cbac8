import SystemPackage

/// What the command is doing, for people: the standard error.
enum Progress {
    static func say(_ message: String) {
        write(message + "\n")
    }

    static func error(_ message: String) {
        write("sensortag: \(message)\n")
    }

    /// Where nobody can be told, there is nothing to do about it.
    private static func write(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(TerminalText.escaped(text, keepsLineBreaks: true).utf8)
    }
}
