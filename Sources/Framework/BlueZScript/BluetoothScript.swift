import BlueZDBus
import CBlueZTerminal
import CoreBlueZ
import Glibc

/// A program that does one thing with Bluetooth, and then ends.
///
/// It keeps the program running until the work is done, prints an error as one line on standard error, and ends with
/// status 0, or 1 after an error. Ctrl-C, SIGTERM and SIGHUP cancel the work. In every case, the links that the program
/// made are ended first, because BlueZ would keep them. Work that has not ended 5 s after the signal is abandoned, and
/// links that have not ended 3 s later are left. A second signal ends the program immediately. Without /proc, where
/// Swift reads the arguments, it does nothing and ends with status 71.
///
/// What it prints is written line by line, also to a pipe, a file or the journal.
///
/// ```swift
/// import BlueZScript
/// import CoreBlueZ
///
/// BluetoothScript.run {
///     let central = CentralManager()
///     let tag = try await central.firstPeripheral(withServices: [0x180A])
///     try await tag.connect()
///     try await tag.discoverServices()
///     print(try await tag.service(0x180A).characteristic(0x2A29).readValue())
/// }
/// ```
@BluetoothActor public final class BluetoothScript {
    /// The manager of a script with closures, on the system bus.
    public private(set) lazy var central = CentralManager()

    /// How long work may continue after a signal has cancelled it, and how long ending its links may then take.
    package nonisolated static let timeouts = Lock((work: Duration.seconds(5), links: Duration.seconds(3)))

    private let ending = Ending()

    private init() {}

    /// Runs `body`, and ends the program when it returns or throws.
    ///
    /// - Parameter body: the work. Its task is cancelled by Ctrl-C, SIGTERM and SIGHUP.
    public nonisolated static func run(_ body: @escaping @BluetoothActor () async throws -> Void) -> Never {
        Program.begin("error")
        terminal_buffer_lines()
        SignalWatch.shared.serve {
            let work = Task { @BluetoothActor in
                await BluetoothActor.run {
                    CentralManager.keepManagersThatConnect()
                    do {
                        try await body()
                        await finish(nil)
                    } catch {
                        await finish(error)
                    }
                }
            }
            return {
                work.cancel()
                endLater()
            }
        }
    }

    /// Runs `body`, which uses closures, and ends the program when one of them calls `end`.
    ///
    /// ```swift
    /// BluetoothScript.runUntilEnd { script in
    ///     script.central.firstPeripheral { tag, error in
    ///         guard let tag else { return script.end(error) }
    ///         tag.connect { error in … }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter body: starts the work. The script's manager lives as long as the program.
    public nonisolated static func runUntilEnd(_ body: @escaping @BluetoothActor (BluetoothScript) -> Void) -> Never {
        run {
            let script = BluetoothScript()
            body(script)
            try await script.ending.wait()
        }
    }

    /// Ends the program. Without an error the status is 0. An error is printed on standard error, and the status is 1.
    /// Only the first call counts.
    public func end(_ error: (any Error)? = nil) {
        ending.end(error)
    }

    /// Ends the program even if its work does not end. Uses a separate thread, because the work may block every other.
    private nonisolated static func endLater() {
        guard let loop = try? EventLoop(name: "end") else { return }
        let timeouts = timeouts.withLock { $0 }
        _ = loop.schedule(after: timeouts.work) {
            Task { @BluetoothActor in await finish(nil) }
            _ = loop.schedule(after: timeouts.links) { die() }
        }
    }

    /// Ends the process by the signal that requested it, if there was one.
    private nonisolated static func die() {
        SignalWatch.shared.endBySignal()
    }

    private static func finish(_ error: (any Error)?) async {
        // In a separate task, because this one may be cancelled and then could not wait.
        await Task { @BluetoothActor in await CentralManager.disconnectAllMade() }.value
        // A signal discards what was printed and is still in the buffer: a line that has not ended.
        fflush(nil)
        die()
        guard let error else { exit(0) }
        StandardError.writeLine("error: \(error)")
        exit(1)
    }
}
