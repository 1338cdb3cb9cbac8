import CTerminal
import DBus
import Glibc

/// SIGINT, SIGTERM and SIGHUP of this process: the first requests an end, a later one forces it; see `SignalRequests`.
/// A signal that was ignored when the program started stays ignored, as is usual: SIGHUP under nohup, and SIGINT for a
/// script's background commands.
///
/// A command that was asked to end cleans up and then dies of the same signal. So the shell shows 130 after Ctrl-C and
/// 143 after SIGTERM, and ends the script or loop that runs the command; systemd takes it for a clean end.
public final class SignalWatch: Sendable {
    /// The process's only instance.
    public static let shared = SignalWatch()

    private let requests = Lock(SignalRequests())

    private init() {}

    /// The signal that requested the end.
    public var number: Int32? { requests.withLock { $0.number } }

    /// Calls `asked` on a separate thread when the first signal arrives; a later one ends the program at once. If no
    /// thread or descriptor is left, signals have their default effect.
    ///
    /// From now on, writing to a pipe without a reader is an error and no longer ends the program.
    public func start(asked: @escaping @Sendable () -> Void) {
        guard let loop = try? EventLoop(name: "signals") else { return }
        let descriptor = terminal_watch_signals()
        guard descriptor >= 0 else { return }
        _ = loop.addSource(descriptor: descriptor, events: .readable) { [self] _ in receive(asked) }
    }

    /// Does the same on the calling thread, as long as the process lives: for an otherwise idle main thread.
    ///
    /// - Parameter work: begins the work, once signals are watched, and returns a closure for the first signal.
    public func serve(_ work: () -> () -> Void) -> Never {
        let isWatching = terminal_watch_signals() >= 0
        let asked = work()
        guard isWatching else { Self.sleepForever() }
        while true {
            terminal_wait_for_signal()
            receive(asked)
        }
    }

    private func receive(_ asked: () -> Void) {
        while case let number = terminal_next_signal(), number > 0 {
            switch requests.withLock({ $0.effect(of: number, at: .now) }) {
            case .end: asked()
            case .force: exit(128 + number)
            case .nothing: break
            }
        }
    }

    /// Blocks the calling thread, because another ends the process.
    public static func sleepForever() -> Never {
        while true { pause() }
    }

    /// Ends the process by the signal that requested it; returns if there was none.
    public func endBySignal() {
        if let number { terminal_die_of(number) }
    }
}

/// The requests of signals, in order of arrival.
struct SignalRequests {
    /// The effect of a signal.
    enum Effect {
        case end, force, nothing
    }

    /// How long later signals count as part of the first. `timeout` sends its signal to the command and to the
    /// command's group. A second is longer than the time between the two on a busy machine, and cleaning up may take
    /// that long: nothing shows earlier that it hangs.
    private static let moment = Duration.seconds(1)

    private var first: (number: Int32, time: ContinuousClock.Instant)?

    /// The first signal.
    var number: Int32? { first?.number }

    /// A terminal that closes sends more than one hangup, so a hangup never forces the end.
    mutating func effect(of number: Int32, at time: ContinuousClock.Instant) -> Effect {
        guard let first else {
            first = (number, time)
            return .end
        }
        return number == SIGHUP || time - first.time < Self.moment ? .nothing : .force
    }
}
