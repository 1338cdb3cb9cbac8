import DBus
import Logging
import PrintableText
import SystemPackage

/// `--trace`: every message between the program and bluetoothd, one line each on the standard error, preceded by the
/// seconds since the start.
public struct TraceLog: LogHandler {
    private static let start = ContinuousClock.now
    private static let isOn = Lock(false)

    private let label: String
    /// What is shown: everything from the framework, and warnings and errors of others.
    public var logLevel: Logger.Level

    /// Metadata of all lines; none is shown.
    public var metadata: Logger.Metadata = [:]

    /// Whether the arguments ask for it. Options end at `--`.
    public static func isWanted(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--trace")
    }

    /// Starts tracing. Call it once, before the first manager is made; further calls do nothing.
    public static func begin() {
        let isFirst = isOn.withLock { isOn in
            defer { isOn = true }
            return !isOn
        }
        guard isFirst else { return }
        _ = start
        LoggingSystem.bootstrap { TraceLog(label: $0, logLevel: $0 == "CoreBlueZ" ? .trace : .info) }
    }

    /// One entry of `metadata`.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line, with what a terminal would obey escaped.
    public func log(event: LogEvent) {
        // Nobody can be told that it cannot be written.
        _ = try? FileDescriptor.standardError.writeAll("\(Self.line(event))\n".utf8)
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
