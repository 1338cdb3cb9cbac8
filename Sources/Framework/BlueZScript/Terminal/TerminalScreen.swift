import CBlueZTerminal
import CoreBlueZ
import Dispatch
import FoundationEssentials
import Glibc
import SystemPackage

/// The terminal as a screen that is redrawn in place. It is restored by `close`, when the program exits, and before a
/// signal ends it.
@BluetoothActor package final class TerminalScreen {
    /// Called with each key.
    package var keyHandler: (@BluetoothActor (Character) -> Void)?
    /// Creates the lines of the screen.
    private let content: @BluetoothActor (ScreenSize) -> [StyledLine]
    private let isColoured: Bool
    private var shown: [String] = []
    private var shownSize: ScreenSize?
    private var sources: [any DispatchSourceProtocol] = []
    /// Whether Ctrl-Z has returned the terminal to the shell.
    private var isSuspended = false
    private var ticking: Task<Void, Never>?
    private let failed: @BluetoothActor (any Error) -> Void
    private static let interval = Duration.milliseconds(200)

    /// Whether the standard output can be a screen.
    package nonisolated static var isAvailable: Bool {
        isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" } ?? false
    }

    /// Whether to use colours: not if NO_COLOR is set to anything (no-color.org).
    package nonisolated static var wantsColours: Bool {
        ProcessInfo.processInfo.environment["NO_COLOR"].map(\.isEmpty) ?? true
    }

    /// Call it once, before anything else, in a command that shows a screen: the library's log would overwrite it.
    ///
    /// - Parameter isTraced: whether the user has requested the log, which then needs another destination.
    package nonisolated static func silenceLog(isTraced: Bool) throws(CommandFailure) {
        guard isTraced else { return TraceLog.begin([], otherwise: .critical) }
        guard isatty(STDERR_FILENO) == 0 else {
            throw CommandFailure(.usage, "Add 2>trace.txt: --trace and the screen cannot share the terminal")
        }
    }

    /// Switches to the alternate screen and draws it, up to five times a second.
    package init(
        _ content: @escaping @BluetoothActor (ScreenSize) -> [StyledLine],
        failed: @escaping @BluetoothActor (any Error) -> Void
    ) throws(CommandFailure) {
        self.content = content
        self.failed = failed
        isColoured = Self.wantsColours
        let error = terminal_begin(STDIN_FILENO, STDOUT_FILENO)
        guard error == 0 else {
            throw CommandFailure(.inputOutput, "The terminal cannot be used: \(Errno(rawValue: error))")
        }
        watchSignals()
        watchKeys()
        ticking = Task { [weak self] in
            while !Task.isCancelled {
                self?.draw()
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Restores the terminal.
    package func close() {
        ticking?.cancel()
        for source in sources { source.cancel() }
        sources = []
        terminal_end()
    }

    /// Draws the changes.
    package func draw() {
        guard !sources.isEmpty, !isSuspended else { return }
        let terminal = terminal_size_of(STDOUT_FILENO)
        let size = ScreenSize(
            columns: terminal.columns > 0 ? Int(terminal.columns) : 80,
            rows: terminal.rows > 0 ? Int(terminal.rows) : 24)
        let lines = content(size).prefix(size.rows).map {
            $0.clipped(to: size.columns).rendered(isColoured: isColoured)
        }
        var output = ""
        if size != shownSize {
            shown = []
            shownSize = size
            output += "\u{1B}[2J"
        }
        for row in 0..<max(lines.count, shown.count) {
            let line = row < lines.count ? lines[row] : ""
            if row >= shown.count || shown[row] != line { output += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)" }
        }
        shown = lines
        guard !output.isEmpty else { return }
        do {
            try FileDescriptor.standardOutput.writeAll(output.utf8)
        } catch {
            failed(error)
        }
    }

    private func watchKeys() {
        guard isatty(STDIN_FILENO) == 1 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        // Dispatch calls its handlers on its own threads, so they must not be the actor's.
        source.setEventHandler { @Sendable [weak self] in
            var bytes: [UInt8] = []
            while case let byte = terminal_read_byte(), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
            Task { @BluetoothActor [weak self, bytes] in self?.pressed(bytes) }
        }
        source.resume()
        sources.append(source)
    }

    /// Arrow keys and the like are sequences that begin with an escape: they have no effect here.
    private func pressed(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return keysEnded() }
        guard bytes.first != 0x1B else { return }
        for byte in bytes { keyHandler?(Character(UnicodeScalar(byte))) }
        draw()
    }

    /// Stops reading keys after the terminal was closed: the source would report that endlessly.
    private func keysEnded() {
        sources.first { $0 is any DispatchSourceRead }?.cancel()
    }

    private func watchSignals() {
        watch(SIGWINCH) { [weak self] in self?.draw() }
        watch(SIGCONT) { [weak self] in self?.resume() }
        signal(SIGTSTP, SIG_IGN)
        watch(SIGTSTP) { [weak self] in
            self?.isSuspended = true
            terminal_end()
            kill(getpid(), SIGSTOP)
        }
    }

    private func resume() {
        guard !sources.isEmpty, terminal_begin(STDIN_FILENO, STDOUT_FILENO) == 0 else { return }
        shownSize = nil
        isSuspended = false
        draw()
    }

    private func watch(_ number: Int32, _ body: @escaping @BluetoothActor () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { @Sendable in Task { @BluetoothActor in body() } }
        source.resume()
        sources.append(source)
    }
}

/// The size in characters.
package struct ScreenSize: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
