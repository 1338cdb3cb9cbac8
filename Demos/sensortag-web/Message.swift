import PrintableText
import SystemPackage

/// Lines for people.
enum Message {
    /// Writes a line to the standard error or the standard output.
    static func say(_ text: String, toOutput: Bool = false) {
        let output = toOutput ? FileDescriptor.standardOutput : .standardError
        // Nothing can be done about a reader that is gone.
        _ = try? output.writeAll((text.escapedForTerminal(keepingLineBreaks: true) + "\n").utf8)
    }
}
