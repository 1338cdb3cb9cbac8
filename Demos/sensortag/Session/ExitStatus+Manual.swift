import ArgumentParser
import CommandLineSupport

extension ExitStatus {
    var exitCode: ExitCode { ExitCode(rawValue) }

    /// The statuses for the manual.
    static let manual = """
        Exit status:
          0    done: all was read, the time is over, q was pressed, or the reader
               of the output is gone
          64   the arguments are wrong
          66   the tag has none of the sensors
          68   the link did not come up, or was lost
          69   Bluetooth is not available, or the tag cannot do it
          70   a response is invalid
          71   /proc is not mounted
          73   the file cannot be opened, or has the columns of another tag
          74   the output cannot be written
          75   no such SensorTag was found in time, no response in time, or busy;
               trying again may help
          76   the tag returned an ATT error
          77   permission: the message bus does not let this user talk to bluetoothd
          130  Ctrl-C; 143 for SIGTERM (the command cleans up and then ends by the
               signal; if it cannot clean up, it says which sensors may still be
               on, and the status is that of the error)
        """
}
