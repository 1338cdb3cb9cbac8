import Dispatch
import Foundation

/// Waits for the signal that asks the program to end.
public final class Termination: Sendable {
    private let sources: [any DispatchSourceSignal]
    private let signals: AsyncStream<Void>

    /// From now on SIGINT and SIGTERM no longer end the program.
    public init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.activate()
            return source
        }
        signal(SIGPIPE, SIG_IGN)
    }

    /// Returns when one of the signals has come.
    public func wait() async {
        for await _ in signals { return }
    }
}
