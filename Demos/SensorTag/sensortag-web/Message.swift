import BlueZPrintableText
import SystemPackage

/// Messages for users.
enum Message {
    /// Writes a line to the standard error or the standard output.
    static func say(_ text: String, toOutput: Bool = false) {
        let output = toOutput ? FileDescriptor.standardOutput : .standardError
        // A closed output is ignored.
        _ = try? output.writeAll((text.escapedForTerminal(keepingLineBreaks: true) + "\n").utf8)
    }
}
