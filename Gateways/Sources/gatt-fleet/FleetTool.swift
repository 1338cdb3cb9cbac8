import ArgumentParser
import CommandLineSupport
import CoreBlueZ

/// The command: a fleet, or what is known about its gateways.
@main struct FleetTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt-fleet",
        abstract: "Offers the Bluetooth of many gateways as if it were that of this computer.",
        discussion: """
            Without the name of a subcommand, the options are those of serve: see gatt-fleet serve --help.

            Examples:
              gatt-fleet --broker mqtt://broker.local > bus &
              sleep 5; export "$(cat bus)"
              gatt scan
              gatt-fleet status --broker mqtt://broker.local
            """,
        version: CentralManager.version, subcommands: [ServeCommand.self, StatusCommand.self],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        ProgramArguments.require("gatt-fleet")
        await main(nil)
    }
}
