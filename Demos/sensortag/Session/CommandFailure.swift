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

    /// Any error, as well as it can be told.
    init(any error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as BluetoothError: self.init(error)
        default: self.init(.inputOutput, "\(error)")
        }
    }
}

/// How the command ended, by the numbers of sysexits.h.
enum ExitStatus: Int32 {
    case success = 0
    case notFound = 66
    case unavailable = 69
    case cannotCreate = 73
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

    /// The statuses for the manual.
    static let manual = """
        Exit status:
          0    done: the time is over, Ctrl-C, or the reader of the output is gone
          64   the arguments are wrong
          66   no such SensorTag was found, or it has none of the sensors
          69   Bluetooth is not available, or the tag cannot do it
          73   the file cannot be opened
          74   the link was lost, the tag refused something or did not answer, or
               the output cannot be written
          77   the message bus does not let this user talk to bluetoothd
          130  Ctrl-C was pressed twice
        """
}
