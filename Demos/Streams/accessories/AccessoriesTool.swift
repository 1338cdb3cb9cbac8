import ArgumentParser
import BlueZScript
import CoreBlueZ

/// `accessories`: a demo of a session with an accessory.
@main struct AccessoriesTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accessories",
        abstract: "Lists accessories as they connect and disconnect, sends a line to one, and prints its reply.",
        discussion: """
            Examples:
              accessories --simulate               uses a simulated accessory
              accessories                          waits for an accessory
              accessories Printer --line status    connects to one first

            \(ExitStatus.section(statuses))
            """,
        version: CentralManager.version)

    private static let statuses: [ExitStatus: String] = [
        .success: "the reply was printed", .connection: "the accessory could not be connected, or the link was lost",
        .software: "the device is connected, but it is not an accessory",
        .timedOut: "no accessory was found, or it did not reply, in time",
        .attError: "the accessory refused a write",
    ]

    @Argument(help: "The address or name of the device to connect to. By default, the command waits for one.")
    var device: String?
    @Option(help: "The line to send, without the CR LF that ends it.") var line = "hello"
    @Option(
        help: ArgumentHelp("The timeout for the accessory, and for its reply.", valueName: "time"),
        transform: Duration.init(typed:))
    var timeout = Duration.seconds(30)
    @Flag(help: "Uses a simulated accessory; needs no Bluetooth.") var simulate = false

    static func main() async {
        Program.begin("accessories")
        await main(nil)
    }

    func run() async throws {
        throw ExitCode(await Program.run("accessories") { try await AccessoryRun(self).run() })
    }
}
