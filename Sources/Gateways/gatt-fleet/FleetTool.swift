import ArgumentParser
import BlueZScript
import CoreBlueZ

/// `gatt-fleet`: serves a fleet, or shows its gateways.
@main struct FleetTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt-fleet",
        abstract: "Offers the Bluetooth of many gateways as if it were that of this computer.",
        discussion: """
            Without a subcommand, gatt-fleet takes the options of serve: see gatt-fleet serve --help.

            Examples:
              rm -f bus; gatt-fleet --broker mqtt://broker.local > bus &
              until [ -s bus ]; do sleep 1; done; export "$(cat bus)"
              gatt scan
              gatt-fleet status --broker mqtt://broker.local
            """,
        version: CentralManager.version, subcommands: [ServeCommand.self, StatusCommand.self],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        Program.begin("gatt-fleet")
        await main(nil)
    }
}
