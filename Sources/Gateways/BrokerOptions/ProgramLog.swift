import BlueZPrintableText
import FoundationEssentials
import Logging
import SystemPackage

/// The log of gateways and fleets on the standard error, with lines such as
/// `2026-03-01T12:00:00Z notice gatt-gateway: The gateway kitchen is online`.
public struct ProgramLog: LogHandler {
    /// The lowest level that is written.
    public var logLevel: Logger.Level
    /// Metadata for each line.
    public var metadata: Logger.Metadata = [:]

    /// Creates a handler. The lines do not show the label of the logger.
    public init(level: Logger.Level) { logLevel = level }

    /// An entry of `metadata`.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line.
    public func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        Self.write(event.level, event.message.description, all)
    }

    static func write(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata = [:]) {
        let program = ProcessInfo.processInfo.processName
        let line = line(level, message, metadata, program: program, at: .now)
        _ = try? FileDescriptor.standardError.writeAll("\(line)\n".utf8)
    }

    /// The line without its end: control characters are escaped, and metadata is in parentheses.
    public static func line(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, program: String, at date: Date
    ) -> String {
        let details = metadata.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        let text = details.isEmpty ? message : "\(message) (\(details))"
        return "\(date.formatted(.iso8601)) \(level) \(program): \(text.escapedForTerminal())"
    }
}
