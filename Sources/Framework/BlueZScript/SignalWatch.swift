import BlueZDBus
import CBlueZTerminal
import Glibc

/// SIGINT, SIGTERM and SIGHUP of this process: the first requests an end, a later one forces it; see `SignalRequests`.
/// A signal that was ignored when the program started stays ignored, as is usual: SIGHUP under nohup, and SIGINT for a
/// script's background commands.
///
/// A program, also a service, cleans up after a signal and then ends by the same signal. So the status in a shell is 130 after Ctrl-C, 143 after SIGTERM and 129 after SIGHUP, and Ctrl-C also ends the script or loop that
/// runs the program. systemd considers these signals a clean exit.
public final class SignalWatch: Sendable {
    /// The only instance.
    public static let shared = SignalWatch()

    private let requests = Lock(SignalRequests())

    private init() {}

    /// The number of the signal that requested the end; nil if there was none.
    public var number: Int32? { requests.withLock { $0.number } }

    /// Calls `asked` on a separate thread when the first signal arrives. A later one ends the program immediately. If
    /// the system has no thread or descriptor left, signals keep their default effect.
    ///
    /// From this call on, writing to a pipe without a reader is an error; it no longer ends the program.
    public func start(asked: @escaping @Sendable () -> Void) {
        guard let loop = try? EventLoop(name: "signals") else { return }
        let descriptor = terminal_watch_signals()
        guard descriptor >= 0 else { return }
        _ = loop.addSource(descriptor: descriptor, events: .readable) { [self] _ in receive(asked) }
    }

    /// Does the same on the calling thread until the process ends. It is meant for a main thread that has nothing else
    /// to do.
    ///
    /// - Parameter work: starts the work, once signals are watched, and returns a closure for the first signal.
    public func serve(_ work: () -> () -> Void) -> Never {
        let isWatching = terminal_watch_signals() >= 0
        let asked = work()
        guard isWatching else { Self.sleepForever() }
        while true {
            terminal_wait_for_signal()
            receive(asked)
        }
    }

    /// Passes each signal to a handler, on the calling thread, until another thread ends the process: for a program that
    /// runs another one and ends with it. Ctrl-C and the like are not passed on, because the terminal sends them to both.
    ///
    /// - Parameter work: starts the work, once signals are watched, and returns the handler.
    public func passOn(_ work: () -> (Int32) -> Void) -> Never {
        let isWatching = terminal_watch_signals() >= 0
        let handler = work()
        guard isWatching else { Self.sleepForever() }
        while true {
            terminal_wait_for_signal()
            while case let number = terminal_next_signal(), number > 0 {
                if terminal_signal_reached_group() == 0 { handler(number) }
            }
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

    /// Blocks the calling thread until another one ends the process.
    public static func sleepForever() -> Never {
        while true { pause() }
    }

    /// Ends the process by the signal that requested it, and removes the folders of its private buses; returns if there
    /// was none.
    public func endBySignal() {
        guard let number else { return }
        PrivateDirectory.removeAll()
        terminal_die_of(number)
    }
}

/// The requests of signals, in order of arrival.
struct SignalRequests {
    /// The effect of a signal.
    enum Effect {
        case end, force, nothing
    }

    /// How long later signals count as part of the first: `timeout` sends its signal to the command and to the
    /// command's group. One second is longer than the time between the two on a busy machine, and cleaning up may take
    /// that long.
    private static let moment = Duration.seconds(1)

    private var first: (number: Int32, time: ContinuousClock.Instant)?

    /// The first signal.
    var number: Int32? { first?.number }

    /// The effect of a signal. SIGHUP never forces the end, because a terminal that closes sends more than one.
    mutating func effect(of number: Int32, at time: ContinuousClock.Instant) -> Effect {
        guard let first else {
            first = (number, time)
            return .end
        }
        return number == SIGHUP || time - first.time < Self.moment ? .nothing : .force
    }
}
