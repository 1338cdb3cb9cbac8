import CTerminal
import DBus
import Dispatch
import Glibc

/// SIGINT, SIGTERM and SIGHUP of this process: the first asks for an end, the second makes one.
///
/// A command that was asked to end cleans up and then dies of the same signal. So the shell shows 130 after Ctrl-C and
/// 143 after SIGTERM, ends the script or loop that runs the command, and systemd takes it for a clean end.
public final class SignalWatch: Sendable {
    /// A process has one.
    public static let shared = SignalWatch()

    private let first = Lock<Int32?>(nil)
    private let queue = DispatchQueue(label: "signals")

    private init() {}

    /// The signal that asked for the end.
    public var number: Int32? { first.withLock { $0 } }

    /// Calls `asked` with the first signal, on a thread of its own; the second ends the program at once. A hangup of
    /// the terminal does not count where nohup has said so. Works while the sources live.
    ///
    /// From now on, writing to a pipe that nobody reads is an error and no longer the end of the program.
    public func start(asked: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        signal(SIGPIPE, SIG_IGN)
        return ([SIGINT, SIGTERM] + (terminal_hangup_is_ignored() == 0 ? [SIGHUP] : [])).map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in
                let isFirst = first.withLock { first in
                    defer { first = first ?? number }
                    return first == nil
                }
                guard isFirst else { exit(128 + number) }
                asked()
            }
            source.resume()
            return source
        }
    }

    /// Ends the process by the signal that asked for it; returns where none did.
    public func endBySignal() {
        if let number { terminal_die_of(number) }
    }
}
