import CoreBlueZ

/// Why a command fails: what went wrong and what to do, and the exit status.
public struct CommandFailure: Error {
    /// The exit status of the process.
    public let status: ExitStatus
    /// The text for users; empty for a silent end.
    public let message: String

    /// Makes a failure of the command itself.
    public init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Makes a failure from an error of the framework.
    public init(_ error: BluetoothError) {
        self.init(ExitStatus(error), error.description)
    }

    /// Makes a failure from any error, described as well as possible.
    public init(any error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as BluetoothError: self.init(error)
        default: self.init(.software, "\(error)")
        }
    }

    /// The reader of the output has closed it: a silent end.
    public static let outputClosed = CommandFailure(.success, "")
}
