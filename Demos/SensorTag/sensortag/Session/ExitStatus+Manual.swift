import ArgumentParser
import BlueZScript

extension ExitStatus {
    var exitCode: ExitCode { ExitCode(rawValue) }

    /// The section of the help about exit statuses.
    static let manual = """
        Exit status:
          0    success, also after q or --duration, or if the reader of the output
               has exited
          64   the arguments are invalid
          66   the tag has none of the sensors
          68   the tag could not be connected, or the link was lost
          69   Bluetooth is not available, or the tag does not support the operation
          70   a response is invalid
          71   /proc is not mounted
          73   the file cannot be opened, or has the columns of another tag
          74   the output cannot be written
          75   no such SensorTag was found, or it did not respond, in time; or it is
               busy. Trying again may help
          76   the tag returned an ATT error
          77   the message bus does not permit this user to use bluetoothd
          129  ended by SIGHUP, 130 by Ctrl-C, 143 by SIGTERM. The command cleans up
               first. If that fails, it prints which sensors may still be on, and
               the status is that of the error
        """

    /// The section of the help of `sensortag serve` about exit statuses.
    static let manualOfServing = """
        Exit status:
          0    success: with --simulate, the reader of the output has exited
          64   the arguments are invalid
          65   the advertisement is too large
          69   Bluetooth is not available, or BlueZ or the adapter cannot advertise
               or offer services
          70   BlueZ refused the services or the advertisement for another reason
          71   /proc is not mounted
          74   with --simulate, the output cannot be written
          75   bluetoothd did not respond in time, or all advertisements of the
               adapter are in use. Trying again may help
          77   the message bus does not permit this user to use bluetoothd
          129  ended by SIGHUP, 130 by Ctrl-C, 143 by SIGTERM. The command withdraws
               the tag first. If that fails, the status is that of the error
        With --simulate, errors of reading have the statuses of sensortag print.
        """
}
