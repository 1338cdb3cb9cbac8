import ArgumentParser
import CommandLineSupport
import CoreBlueZ
import Glibc

/// The demo: commands and replies of a Tx/Rx device, in a terminal.
@main struct ModemTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modem",
        abstract: "Lists all devices, connects to one that takes commands, and shows its replies to what you type.",
        discussion: """
            Type the name of a listed device, unless you gave it as an argument. Then type commands, one per line. \
            Ctrl-D ends the input, and disconnects. Replies go to the standard output, all other events to the \
            standard error. Ctrl-C and SIGTERM disconnect, and end the command by the signal.

            Exit status: 0 each command had a reply; 64 wrong arguments; 66 the device takes no commands; 68 no link; \
            69 no Bluetooth; 70 a reply is not text; 71 no /proc; 74 the output cannot be written; 75 no device or \
            reply in time; 76 a command was refused; 77 no permission; 130 Ctrl-C; 143 SIGTERM.
            """,
        version: CentralManager.version)

    @Argument(help: "The device's name, alone or with its number in the list, such as MODEM_1.") var device: String?
    @Flag(help: "Use simulated devices; no Bluetooth is needed.") var simulate = false
    @Option(help: ArgumentHelp("How long to look for the named device.", valueName: "seconds")) var timeout: UInt32 = 30

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
