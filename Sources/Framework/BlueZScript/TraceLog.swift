import BlueZDBus
import BlueZPrintableText
import Logging

/// The log of a program, on the standard error, one line each, preceded by the seconds since the start: errors, and
/// with `--trace` every message between the program and bluetoothd. Commands report to their users directly; the
/// framework's warnings are for programmers.
public struct TraceLog: LogHandler {
    private static let start = ContinuousClock.now
    private static let isOn = Lock(false)

    private let label: String
    /// The level: errors; when tracing, everything from the framework, and `info` and above of others.
    public var logLevel: Logger.Level

    /// Metadata of all lines; not shown.
    public var metadata: Logger.Metadata = [:]

    /// The level of a logger. Options end at `--`.
    static func level(of label: String, _ arguments: [String], otherwise level: Logger.Level = .error) -> Logger.Level {
        guard arguments.prefix(while: { $0 != "--" }).contains("--trace") else { return level }
        return label == "CoreBlueZ" ? .trace : .info
    }

    /// Installs the log; it traces if the arguments request it, and otherwise shows `level` and above. Call it before
    /// the first manager is created; later calls do nothing.
    public static func begin(_ arguments: some Sequence<String>, otherwise level: Logger.Level = .error) {
        let isFirst = isOn.withLock { isOn in
            defer { isOn = true }
            return !isOn
        }
        guard isFirst else { return }
        _ = start
        let arguments = Array(arguments)
        LoggingSystem.bootstrap { TraceLog(label: $0, logLevel: Self.level(of: $0, arguments, otherwise: level)) }
    }

    /// One entry of `metadata`.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line, with control characters escaped.
    public func log(event: LogEvent) {
        StandardError.writeLine(Self.line(event))
    }

    static func line(_ event: LogEvent) -> String {
        let time = start.duration(to: .now).components
        let milliseconds = Int(time.attoseconds / 1_000_000_000_000_000)
        let digits = String(1000 + milliseconds).dropFirst()
        let more = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let severity = event.level == .trace ? "" : " \(event.level):"
        return "\(time.seconds).\(digits)\(severity) \(event.message)\(more)".escapedForTerminal()
    }
}
