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

            \(ExitStatus.section(statuses))
            """,
        version: CentralManager.version)

    private static let statuses: [ExitStatus: String] = [
        .success: "each command got a reply", .notFound: "the device does not accept commands",
        .connection: "the device could not be connected, or the link was lost", .software: "a reply is not text",
        .timedOut: "no device was found, or a command got no reply, in time",
        .attError: "the device refused a command",
    ]

    @Argument(help: "The device's name, without or with its number in the list: MODEM or MODEM_1.") var device: String?
    @Flag(help: "Uses simulated devices; needs no Bluetooth.") var simulate = false
    @Option(
        help: ArgumentHelp("The timeout for finding the named device.", valueName: "time"),
        transform: Duration.init(typed:))
    var timeout = Duration.seconds(30)

    static func main() async {
        Program.begin("modem")
        await main(nil)
    }

    func run() async {
        // Unlike exit, this never waits for the thread that reads a line.
        _exit(await Program.run("modem") { try await Modem(self).run() })
    }
}
