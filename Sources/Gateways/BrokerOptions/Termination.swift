import BlueZScript

/// Waits for the signal that asks the program to end: SIGINT, SIGTERM or SIGHUP.
public struct Termination: Sendable {
    private let signals: AsyncStream<Void>

    /// Watches the signals from now on. See `SignalWatch`.
    public init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        SignalWatch.shared.start { continuation.finish() }
    }

    /// Returns when one of the signals has arrived, or the task is cancelled.
    public func wait() async {
        for await _ in signals {}
    }

    /// Ends the process by the signal that has arrived; returns if there was none. Call it after cleaning up.
    public func endBySignal() { SignalWatch.shared.endBySignal() }
}
