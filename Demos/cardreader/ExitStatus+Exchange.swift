import BLESerial
import CommandLineSupport
import CoreBlueZ

extension ExitStatus {
    /// The statuses for the manual.
    static let manual = """
        Exit status:
          0    all was read, or the reader of the output is gone
          64   the arguments are wrong
          65   an APDU is too long for the reader, or bytes arrived that are not a response
          66   the device is not such a reader
          68   the link did not come up, or was lost
          69   Bluetooth is not available
          70   a response is invalid: usually another CRC is needed
          71   /proc is not mounted
          74   the output cannot be written
          75   no reader was found in time, or it did not respond in time
          76   the reader refused a write
          77   permission: the message bus does not let this user talk to bluetoothd
          130  Ctrl-C; 143 for SIGTERM (the command cleans up and then ends by the
               signal; if it cannot clean up, the status is that of the error)
        """
}

extension CommandFailure {
    /// Any failure of a run.
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
