import BlueZDBus
import BlueZPrintableText
import CoreBlueZ
import SystemPackage

/// Messages for users, on the standard error.
package enum Messages {
    package static func say(_ message: String) {
        write(lineEnd() + message.escapedForTerminal(keepingLineBreaks: true) + "\n")
    }

    package static func error(_ message: String) {
        write(lineEnd() + "sensortag: \(message)\n".escapedForTerminal(keepingLineBreaks: true))
    }

    /// Replaces the line with the cursor. Only on terminals.
    package static func line(_ text: String) {
        isLineOpen.withLock { $0 = true }
        write("\r\(text.escapedForTerminal())\u{1B}[K")
    }

    /// Ends such a line, if there is one.
    package static func endLine() {
        write(lineEnd())
    }

    private static let isLineOpen = Lock(false)

    private static func lineEnd() -> String {
        isLineOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen ? "\n" : ""
        }
    }

    // MARK: Screens

    /// Messages that wait while the terminal shows a screen; nil if it does not.
    private static let held = Lock<[String]?>(nil)
    private static let limit = 100

    /// Holds messages until `release`: the last hundred.
    package static func hold() {
        held.withLock { $0 = $0 ?? [] }
    }

    /// Writes the held messages.
    package static func release() {
        let messages = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for message in messages.suffix(limit) { write(message) }
    }

    /// If writing fails, there is nowhere to report it.
    private static func write(_ text: String) {
        let isHeld = held.withLock { held in
            guard held != nil else { return false }
            held?.append(text)
            if let count = held?.count, count >= 2 * limit { held?.removeFirst(limit) }
            return true
        }
        if !isHeld { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }
    }
}
