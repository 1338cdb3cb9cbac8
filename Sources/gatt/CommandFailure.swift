import CoreBlueZ

/// Why a command cannot do what it shall.
struct CommandFailure: Error {
    var status: ExitStatus
    var message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: BluetoothError) {
        self.init(ExitStatus(error), error.description)
    }

    /// Nobody reads the output any more: a quiet end.
    static let outputClosed = CommandFailure(.success, "")
}
