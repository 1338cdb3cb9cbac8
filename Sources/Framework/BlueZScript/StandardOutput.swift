import BlueZPrintableText
import SystemPackage

/// The standard output of a program, for nothing but its results.
public enum StandardOutput {
    /// Writes bytes immediately, so that the reader of a pipe gets them without delay.
    ///
    /// - Throws: `CommandFailure.outputClosed` if the reader has closed the output; `inputOutput` if it can't be
    ///   written.
    public static func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
            throw .outputClosed
        } catch Errno.badFileDescriptor {
            throw CommandFailure(.inputOutput, "The standard output is closed")
        } catch {
            throw CommandFailure(.inputOutput, "The output cannot be written: \(error)")
        }
    }

    /// Writes a line, with control characters escaped.
    ///
    /// - Throws: as `write(_:)` does.
    public static func writeLine(_ line: String) throws(CommandFailure) {
        try write("\(line.escapedForTerminal())\n".utf8)
    }
}

/// The standard error of a program: progress and failures.
public enum StandardError {
    /// Writes a line, with control characters escaped. If that fails, there is nowhere to report it.
    public static func writeLine(_ line: String) {
        _ = try? FileDescriptor.standardError.writeAll("\(line.escapedForTerminal())\n".utf8)
    }

    /// Writes a failure, which may have several lines, preceded by the program's name; nothing if it has no text.
    public static func write(_ failure: CommandFailure, program: String) {
        guard !failure.message.isEmpty else { return }
        let text = "\(program): \(failure.message)\n".escapedForTerminal(keepingLineBreaks: true)
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }
}
