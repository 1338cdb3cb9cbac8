import ArgumentParser
import CommandLineSupport
import CoreBlueZ

/// The demo: everything a SensorTag can do, in a terminal.
@main struct SensorTagTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensortag",
        abstract: "Finds TI SensorTags, shows what they measure, and records it.",
        discussion: """
            Both generations are recognized: the CC2541 of 2012 and the CC2650 of 2015 ("SensorTag 2.0"). Without a \
            subcommand, the readings of the infrared thermometer and the barometer are printed, of the tag with this address \
            or name where there is one: sensortag [DEVICE]; see sensortag help print.

            Data go to the standard output, everything else to the standard error. Ctrl-C and SIGTERM switch the \
            sensors off, disconnect, and end the command by the signal; another one, a second later or more, ends it at once.

            Examples:
              sensortag monitor --simulate          a live screen; no Bluetooth needed
              sensortag scan                        the SensorTags in range
              sensortag BC:6A:29:AB:CD:EF           readings of this tag, a line each
              sensortag monitor BC:6A:29:AB:CD:EF   a live screen of this tag
              sensortag read --json                 one reading of each sensor
              sensortag log --csv readings.csv      a table that grows until Ctrl-C
              sensortag identify --simulate=cc2650  LEDs and buzzer
              sensortag web                         a live page in a web browser

            \(ExitStatus.manual)

            Environment:
              DBUS_SYSTEM_BUS_ADDRESS   another message bus, such as that of
                                        bluez-simulator
              NO_COLOR                  set to anything: no colours

            Shell completion, for bash, zsh or fish:
              sensortag --generate-completion-script bash > sensortag.bash
              . ./sensortag.bash
            """,
        version: CentralManager.version,
        subcommands: [
            PrintCommand.self, ScanCommand.self, MonitorCommand.self, ReadCommand.self, LogCommand.self,
            InfoCommand.self, IdentifyCommand.self, WebCommand.self,
        ],
        defaultSubcommand: PrintCommand.self
    )

    /// The first word may be a tag's name, for `print`: only a name that resembles a command is an error.
    static func main() async {
        StandardDescriptors.keepClosed()
        ProgramArguments.require("sensortag")
        let words = Array(CommandLine.arguments.dropFirst())
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        if var message = UnknownCommand.message(for: words, commands: names, allowsOthers: true) {
            if words.first != "help" { message += "\nA tag of that name: sensortag print NAME" }
            exit(withError: ValidationError(message))
        }
        await main(nil)
    }
}

extension AsyncParsableCommand {
    /// Runs a command's work on the Bluetooth actor and turns a failure into a message and an exit status.
    func perform(_ work: @BluetoothActor () async throws(CommandFailure) -> Void) async throws {
        TraceLog.begin(CommandLine.arguments.dropFirst())
        do throws(CommandFailure) {
            try await BluetoothActor.run { () async throws(CommandFailure) in try await work() }
        } catch {
            Progress.error(error.message)
            throw error.status.exitCode
        }
        SignalWatch.shared.endBySignal()
    }
}
