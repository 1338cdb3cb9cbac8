import ArgumentParser
import BlueZScript
import CoreBlueZ

/// `sensortag`: a demo of everything that a SensorTag can do.
@main struct SensorTagTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensortag",
        abstract: "Finds TI SensorTags, and shows and records their readings.",
        discussion: """
            Both generations are supported: the CC2541 of 2012 and the CC2650 of 2015 ("SensorTag 2.0"). Without a \
            subcommand, sensortag [DEVICE] prints the readings of the infrared thermometer and the barometer; see \
            sensortag help print.

            Data goes to the standard output, everything else to the standard error. Ctrl-C and SIGTERM switch the \
            sensors off, disconnect, and end the command by the signal. Another signal, a second later or more, ends \
            it immediately.

            Examples:
              sensortag monitor --simulate          shows a live screen without Bluetooth
              sensortag scan                        lists the SensorTags in range
              sensortag BC:6A:29:AB:CD:EF           prints the readings of this tag
              sensortag monitor BC:6A:29:AB:CD:EF   shows a live screen of this tag
              sensortag read --json                 prints one reading of each sensor
              sensortag log --csv readings.csv      records a table until Ctrl-C
              sensortag identify --simulate=cc2650  lets LEDs blink and a buzzer beep
              sensortag web                         shows a live web page
              sensortag serve                       makes this computer a tag

            \(ExitStatus.manual)

            Environment:
              DBUS_SYSTEM_BUS_ADDRESS   the message bus to use instead of the
                                        system's, such as that of bluez-simulator
              NO_COLOR                  if set to any value, disables colours

            Shell completion, for bash, zsh or fish:
              sensortag --generate-completion-script bash > sensortag.bash
              . ./sensortag.bash
            """,
        version: CentralManager.version,
        subcommands: [
            PrintCommand.self, ScanCommand.self, MonitorCommand.self, ReadCommand.self, LogCommand.self,
            InfoCommand.self, IdentifyCommand.self, ServeCommand.self, WebCommand.self,
        ],
        defaultSubcommand: PrintCommand.self
    )

    /// The first word may be a tag's name, for `print`: only a name that resembles a command is an error.
    static func main() async {
        Program.begin("sensortag")
        let words = Array(CommandLine.arguments.dropFirst())
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        if var message = UnknownCommand.message(for: words, commands: names, allowsOthers: true) {
            if words.first != "help" { message += "\nFor a tag with this name: sensortag print NAME" }
            exit(withError: ValidationError(message))
        }
        await main(nil)
    }
}

extension AsyncParsableCommand {
    /// Runs a command's work on the Bluetooth actor and turns a failure into a message and an exit status.
    func perform(_ work: @escaping @BluetoothActor @Sendable () async throws -> Void) async throws {
        throw ExitCode(await Program.run("sensortag", work))
    }
}
