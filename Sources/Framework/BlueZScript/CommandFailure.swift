import CoreBlueZ

/// The failure of a command: a message that says what went wrong and what to do, and the exit status.
public struct CommandFailure: Error, CustomStringConvertible {
    /// The exit status of the process.
    public let status: ExitStatus
    /// The message for users; if it is empty, the command ends silently.
    public let message: String

    /// The message.
    public var description: String { message }

    /// Creates a failure of the command itself.
    public init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Creates a failure from an error of the framework.
    public init(_ error: BluetoothError) {
        self.init(ExitStatus(error), error.description)
    }

    /// Creates a failure from any error. An error of an unknown type has the status `software`.
    public init(any error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as BluetoothError: self.init(error)
        default: self.init(.software, "\(error)")
        }
    }

    /// The end of a command whose output was closed by its reader: success, without a message.
    public static let outputClosed = CommandFailure(.success, "")
}
