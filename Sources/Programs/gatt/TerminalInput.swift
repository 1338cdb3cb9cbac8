import CoreBlueZ
import Dispatch
import Glibc

/// Lines that a user types on the terminal, read without blocking the Bluetooth thread.
@BluetoothActor final class TerminalInput {
    /// Whether a user sees the question and can type.
    static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    private nonisolated static let lineLimit = 256
    private var source: (any DispatchSourceRead)?
    private var waiting: CheckedContinuation<String?, Never>?

    isolated deinit { source?.cancel() }

    /// Asks, and returns the typed line; nil if the input ends or the task is cancelled. Input from before the question
    /// does not count as the answer, unless `takesEarlier`.
    func line(_ question: String, takesEarlier: Bool = false) async -> String? {
        guard waiting == nil else { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting = continuation
                // Checked here: the task may have been suspended before it got this far.
                guard !Task.isCancelled else { return finish(nil) }
                if !takesEarlier { tcflush(STDIN_FILENO, TCIFLUSH) }
                Progress.prompt(question)
                watch()
            }
        } onCancel: {
            Task { @BluetoothActor in self.finish(nil) }
        }
    }

    private func watch() {
        guard source == nil else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        source.setEventHandler { @Sendable [weak self] in
            // A terminal is readable when a line is complete, so this does not wait.
            var bytes: [UInt8] = []
            var byte = getchar()
            while byte != EOF, byte != Int32(UInt8(ascii: "\n")), bytes.count < Self.lineLimit {
                bytes.append(UInt8(truncatingIfNeeded: byte))
                byte = getchar()
            }
            let line = byte == EOF ? nil : String(decoding: bytes, as: UTF8.self)
            Task { @BluetoothActor in self?.finish(line) }
        }
        self.source = source
        source.resume()
    }

    private func finish(_ line: String?) {
        source?.cancel()
        source = nil
        waiting.take()?.resume(returning: line)
    }
}
