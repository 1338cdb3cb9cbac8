import ArgumentParser
import BlueZScript
import CoreBlueZ
import Glibc

/// `modem`: a demo that exchanges commands and replies with a Tx/Rx device.
@main struct ModemTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modem",
        abstract: "Lists all devices, connects to one that accepts commands, and prints its replies.",
        discussion: """
            Type the name of a listed device, unless you gave it as an argument. Then type commands, one per line. \
            Ctrl-D ends the input and disconnects. Replies go to the standard output, all other events to the standard \
            error.

            Examples:
              modem --simulate             lists simulated devices
              modem --simulate MODEM_1     connects to one of them
              echo ATI | modem MODEM_1     sends one command

            Exit status:
              0    each command got a reply
              64   the arguments are invalid
              66   the device does not accept commands
              68   the device could not be connected, or the link was lost
              69   Bluetooth is not available
              70   a reply is not text
              71   /proc is not mounted
              74   the output cannot be written
              75   no device was found, or a command got no reply, in time
              76   the device refused a command
              77   the message bus does not permit this user to use bluetoothd
              129  ended by SIGHUP, 130 by Ctrl-C, 143 by SIGTERM. The command
                   disconnects first; if that fails, the status is that of the error
            """,
        version: CentralManager.version)

    @Argument(help: "The device's name, without or with its number in the list: MODEM or MODEM_1.") var device: String?
    @Flag(help: "Uses simulated devices; needs no Bluetooth.") var simulate = false
    @Option(help: ArgumentHelp("The timeout in seconds for finding the named device.", valueName: "seconds"))
    var timeout: UInt32 = 30

    static func main() async {
        StandardDescriptors.keepClosed()
        ProgramArguments.require("modem")
        await main(nil)
    }

    func run() async {
        TraceLog.begin([])
        // Unlike exit, this never waits for the thread that reads a line.
        _exit(await ProgramWork.status(of: "modem") { try await Modem(self).run() })
    }
}
