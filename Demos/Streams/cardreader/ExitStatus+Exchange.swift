import BlueZScript
import BlueZSerial
import CoreBlueZ

extension CommandFailure {
    /// The failure for an error of a run.
    init(ofReader error: any Error) {
        switch error {
        case let error as ExchangeError: self.init(error)
        case let error as BluetoothError where error.code == .profileNotRecognized:
            self.init(.notFound, error.description)
        default: self.init(any: error)
        }
    }

    /// The exit status for a failed exchange with the reader.
    init(_ error: ExchangeError) {
        let status: ExitStatus =
            switch error.code {
            case .timedOut, .cancelSucceeded, .cancelFailed: .timedOut
            case .disconnected: .connection
            case .write: .attError
            case .byteFormat: .data
            default: .software
            }
        self.init(status, error.description)
    }
}
