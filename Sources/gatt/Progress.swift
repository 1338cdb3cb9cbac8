import CoreBlueZ
import Glibc
import SystemPackage

/// What people are told on the standard error.
@BluetoothActor enum Progress {
    private static let isTerminal = isatty(STDERR_FILENO) == 1

    nonisolated static func error(_ message: String) {
        write("gatt: \(message)\n".escapedForTerminal(keepingLineBreaks: true))
    }

    nonisolated static func note(_ message: String) {
        write("\(message)\n".escapedForTerminal(keepingLineBreaks: true))
    }

    /// A question whose answer is typed behind it.
    nonisolated static func prompt(_ message: String) {
        write(message.escapedForTerminal())
    }

    /// Runs `body`, and says what is being done where that takes more than a second and a terminal shows it.
    static func during<Value>(
        _ text: String,
        _ body: @BluetoothActor () async throws -> Value
    ) async rethrows -> Value {
        guard isTerminal else { return try await body() }
        let announcement = Task { @BluetoothActor in
            do {
                try await Task.sleep(for: .seconds(1))
                write("\r\u{1B}[K" + text.escapedForTerminal() + " ...")
                return true
            } catch {
                return false
            }
        }
        defer { announcement.cancel() }
        do {
            let value = try await body()
            await clear(announcement)
            return value
        } catch {
            await clear(announcement)
            throw error
        }
    }

    private static func clear(_ announcement: Task<Bool, Never>) async {
        announcement.cancel()
        if await announcement.value { write("\r\u{1B}[K") }
    }

    /// Where nobody can be told, there is nothing to do about it.
    private nonisolated static func write(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }
}
