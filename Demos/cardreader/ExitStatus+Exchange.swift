import BLESerial
import CommandLineSupport

extension CommandFailure {
    /// The exit status for a command that the reader did not answer as it should.
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

extension ExitStatus {
    /// The statuses for the manual.
    static let manual = """
        Exit status:
          0    all was read, or the reader of the output is gone
          64   the arguments are wrong
          65   an APDU is too long for the reader, or bytes arrived that are not an answer
          66   bluetoothd no longer knows the device
          68   the link did not come up, or was lost
          69   Bluetooth is not available
          70   an answer makes no sense: usually another CRC is needed
          74   the output cannot be written
          75   no reader was found in time, or it did not answer in time
          76   the reader refused a write
          77   permission: the message bus does not let this user talk to bluetoothd
          130  Ctrl-C; 143 for SIGTERM (the command cleans up and then ends by the
               signal; if it cannot clean up, the status is that of the error)
        """
}
