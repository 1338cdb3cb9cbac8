import DBus
import Dispatch
import FoundationEssentials
import Glibc

/// Waits for the signal that asks the program to end.
public final class Termination: Sendable {
    /// A source ends with its last reference.
    private let sources = Lock([any DispatchSourceSignal]())
    private let signals: AsyncStream<Void>

    /// How long later signals count as part of the first: `timeout` sends its signal to the program and to the
    /// program's group.
    private static let moment = Duration.seconds(1)

    /// From now on SIGINT, SIGTERM and SIGHUP no longer end the program, and SIGPIPE does nothing. A signal that was
    /// ignored when the program started stays ignored, such as SIGHUP under nohup.
    public init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.activate()
            sources.withLock { $0.append(source) }
        }
    }

    /// Returns when one of the signals has come. SIGINT or SIGTERM, from a second later on, ends the program at once.
    public func wait() async {
        for await _ in signals {
            Task {
                try await Task.sleep(for: Self.moment)
                for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
            }
            return
        }
    }

    /// The kernel lists the signals that a process ignores as a mask, whose lowest bit is signal 1.
    private static func isIgnored(_ number: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
        let mask = line.flatMap { UInt64($0.dropFirst("SigIgn:\t".count), radix: 16) } ?? 0
        return mask >> UInt64(number - 1) & 1 == 1
    }
}
