import BlueZScript
import BlueZSerial
import CoreBlueZ

extension ExitStatus {
    /// The section of the help about exit statuses.
    static let manual = """
        Exit status:
          0    success, also if the reader of the output has exited
          64   the arguments are invalid
          65   an APDU is too long for the reader, or the reader sent bytes that
               are not a response
          66   the device is not such a reader
          68   the reader could not be connected, or the link was lost
          69   Bluetooth is not available
          70   a response is invalid; usually another --crc is needed, or auto
          71   /proc is not mounted
          74   the output cannot be written
          75   no reader was found, or the reader did not respond, in time
          76   the reader refused a write
          77   the message bus does not permit this user to use bluetoothd
          129  ended by SIGHUP, 130 by Ctrl-C, 143 by SIGTERM. The command cleans up
               first; if that fails, the status is that of the error
        """
}

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
