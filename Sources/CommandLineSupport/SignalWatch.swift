import CTerminal
import DBus
import Glibc

/// SIGINT, SIGTERM and SIGHUP of this process: the first asks for an end, the second forces one. A terminal that closes
/// sends more than one hangup, so a hangup is never the second.
///
/// A command that was asked to end cleans up and then dies of the same signal. So the shell shows 130 after Ctrl-C and
/// 143 after SIGTERM, ends the script or loop that runs the command, and systemd takes it for a clean end.
public final class SignalWatch: Sendable {
    /// A process has one.
    public static let shared = SignalWatch()

    private let first = Lock<Int32?>(nil)

    private init() {}

    /// The signal that asked for the end.
    public var number: Int32? { first.withLock { $0 } }

    /// Calls `asked` with the first signal, on a thread of its own; the second ends the program at once. A hangup of
    /// the terminal is ignored under nohup. If no thread or descriptor is left, signals have their default effect.
    ///
    /// From now on, writing to a pipe that nobody reads is an error and no longer ends the program.
    public func start(asked: @escaping @Sendable () -> Void) {
        guard let loop = try? EventLoop(name: "signals") else { return }
        let descriptor = terminal_watch_signals()
        guard descriptor >= 0 else { return }
        _ = loop.addSource(descriptor: descriptor, events: .readable) { [self] _ in receive(asked) }
    }

    /// Does the same on the calling thread, while the process lives: for a main thread that has nothing else to do.
    public func serve(asked: () -> Void) -> Never {
        if terminal_watch_signals() < 0 { Self.sleepForever() }
        while true {
            terminal_wait_for_signal()
            receive(asked)
        }
    }

    private func receive(_ asked: () -> Void) {
        while case let number = terminal_next_signal(), number > 0 { received(number, asked) }
    }

    /// Blocks the calling thread, if another ends the process.
    public static func sleepForever() -> Never {
        while true { pause() }
    }

    private func received(_ number: Int32, _ asked: () -> Void) {
        let isFirst = first.withLock { first in
            defer { first = first ?? number }
            return first == nil
        }
        if isFirst { asked() } else if number != SIGHUP { exit(128 + number) }
    }

    /// Ends the process with the signal that asked for it; returns if there was none.
    public func endBySignal() {
        if let number { terminal_die_of(number) }
    }
}
