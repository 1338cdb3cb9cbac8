import Dispatch
import Glibc

/// Waits for SIGINT or SIGTERM. The second one ends the program at once.
struct SignalWatch {
    private let signals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                continuation.yield()
            }
            source.resume()
            return source
        }
    }

    func firstSignal() async {
        for await _ in signals { return }
    }
}
