import CTerminal
import Dispatch
import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP: the first asks for an end, the second makes one.
final class SignalWatch: Sendable {
    private let count = Mutex(0)
    private let queue = DispatchQueue(label: "signals")

    /// Writes to a pipe that nobody reads then fail with an error instead of ending the program.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Calls `asked` with the first signal, on a thread of its own; the second ends the program with status 130.
    func start(asked: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        ([SIGINT, SIGTERM] + (terminal_hangup_is_ignored() == 0 ? [SIGHUP] : [])).map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                guard isFirst else { exit(ExitStatus.interrupted.rawValue) }
                asked()
            }
            source.resume()
            return source
        }
    }
}
