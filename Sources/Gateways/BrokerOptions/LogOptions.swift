import ArgumentParser
import BlueZScript
import GatewayProtocol
import Logging

/// The options for the log on the standard error.
public struct LogOptions: ParsableArguments {
    /// Whether requests are logged too.
    @Flag(name: .shortAndLong, help: "Logs every request too.")
    public var verbose = false

    /// Creates options for the parser.
    public init() {}

    /// Sends the log to the standard error from now on: the level `info` and above, with `verbose` `debug` and above.
    public func begin() {
        let level: Logger.Level = verbose ? .debug : .info
        LoggingSystem.bootstrap { _ in ProgramLog(level: level) }
    }
}

/// A failure that ends a program, reported on the standard error.
public struct ExitReport {
    /// The exit status.
    public let exitCode: ExitCode

    /// Reports a failure.
    public init(_ status: ExitStatus, _ message: String) {
        ProgramLog.write(.error, message)
        exitCode = ExitCode(status.rawValue)
    }

    /// Writes a warning in the form of the log. The program continues.
    public static func warn(_ message: String) { ProgramLog.write(.warning, message) }

    /// Reports an error of the broker.
    public init(_ error: BrokerError) {
        let status: ExitStatus =
            switch error.code {
            case .badCredentials, .notAuthorized: .permission
            case .configuration: .configuration
            default: .unavailable
            }
        self.init(status, error.message)
    }

    /// Reports any error.
    public init(_ error: any Error) {
        if let error = error as? BrokerError { self.init(error) } else { self.init(.software, "\(error)") }
    }
}
