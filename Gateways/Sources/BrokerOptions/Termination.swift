import DBus
import Dispatch
import Glibc

/// Waits for the signal that asks the program to end.
public final class Termination: Sendable {
    /// A source ends with its last reference.
    private let sources = Lock([any DispatchSourceSignal]())
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    private let signals: AsyncStream<Void>

    /// From now on SIGINT, SIGTERM and SIGHUP no longer end the program, and SIGPIPE does nothing.
    public init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        signal(SIGPIPE, SIG_IGN)
        for number in Self.numbers {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.activate()
            sources.withLock { $0.append(source) }
        }
    }

    /// Returns when one of the signals has come. Another one ends the program at once.
    public func wait() async {
        for await _ in signals {
            for number in Self.numbers { signal(number, SIG_DFL) }
            return
        }
    }
}
