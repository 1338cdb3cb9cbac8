import ArgumentParser
import CoreBlueZ

/// Why the command ends without success: what went wrong and what to do, and the exit status.
struct CommandFailure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: BluetoothError) {
        self.init(ExitStatus(error.code), error.description)
    }
}

/// How the command ended, by the numbers of sysexits.h.
enum ExitStatus: Int32 {
    case success = 0
    case notFound = 66
    case unavailable = 69
    case inputOutput = 74
    case noPermission = 77
    case interrupted = 130

    init(_ code: BluetoothError.Code) {
        self =
            switch code {
            case .busUnavailable, .daemonUnavailable, .adapterGone, .adapterOff: .unavailable
            case .accessDenied, .notAuthorized: .noPermission
            default: .inputOutput
            }
    }

    var exitCode: ExitCode { ExitCode(rawValue) }
}
