import CoreBlueZ
import Glibc
import SensorTagProgram

/// The progress of a recording, on the standard error: on a terminal, a line that is updated.
@BluetoothActor struct LogProgress {
    private let writer: ReportWriter
    private let duration: Duration?
    private static let interval = Duration.seconds(1)

    init(_ writer: ReportWriter, duration: Duration?) {
        self.writer = writer
        self.duration = duration
    }

    /// Shows the progress until the session ends.
    func start(until stopper: Stopper) {
        Messages.say("Writing to \(writer.name); Ctrl-C ends the recording.")
        guard isatty(STDERR_FILENO) == 1, isatty(STDOUT_FILENO) == 0 || writer.isFile else { return }
        let start = ContinuousClock.now
        let task = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: Self.interval)
                let seconds = Int(start.duration(to: .now) / .seconds(1))
                let end = duration.map { " of \(Clock.text(Int($0.components.seconds)))" } ?? ""
                Messages.line("\(writer.count) readings in \(Clock.text(seconds))\(end)")
            }
        }
        stopper.whenStopped {
            task.cancel()
            Messages.endLine()
        }
    }

    /// A summary of the recording, for users.
    static func summary(of writer: ReportWriter) -> String {
        "\(writer.count) \(writer.count == 1 ? "reading was" : "readings were") written to \(writer.name)."
    }
}

/// Formats times.
enum Clock {
    /// Seconds as 0:42 or 1:02:03.
    static func text(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }
}
