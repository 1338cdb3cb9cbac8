import BlueZPrintableText
import CoreBlueZ
import Glibc
import SystemPackage

/// Messages for users, on the standard error.
@BluetoothActor enum Progress {
    private static let isTerminal = isatty(STDERR_FILENO) == 1

    nonisolated static func error(_ message: String) {
        write("gatt: \(message)\n".escapedForTerminal(keepingLineBreaks: true))
    }

    nonisolated static func report(_ message: String) {
        write("\(message)\n".escapedForTerminal(keepingLineBreaks: true))
    }

    /// The step in progress, if it is shown.
    private static var shown: String?
    private static var announcement: Task<Void, any Error>?

    /// Shows a question, whose answer is typed after it. Nothing else is shown until the end of the current step.
    static func prompt(_ message: String) {
        announcement?.cancel()
        hide()
        shown = nil
        write(message.escapedForTerminal())
    }

    /// Runs `body`, and shows the step if it takes more than a second and the output is a terminal.
    static func during<Value>(
        _ text: String,
        _ body: @BluetoothActor () async throws -> Value
    ) async rethrows -> Value {
        guard isTerminal else { return try await body() }
        let announcement = Task { @BluetoothActor in
            try await BluetoothActor.sleep(for: .seconds(1))
            shown = text.escapedForTerminal() + " ..."
            show()
        }
        self.announcement = announcement
        defer {
            announcement.cancel()
            hide()
            shown = nil
        }
        return try await body()
    }

    /// Removes the line, for output that goes to the same terminal.
    static func hide() {
        if shown != nil { write("\r\u{1B}[K") }
    }

    /// Shows the line again.
    static func show() {
        if let shown { write("\r\u{1B}[K\(shown)") }
    }

    /// If writing fails, there is nowhere to report it.
    private nonisolated static func write(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }
}
