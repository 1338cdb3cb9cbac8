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

            Exit status:
              0    the reply was printed
              64   the arguments are invalid
              68   the accessory could not be connected, or the link was lost
              69   Bluetooth is not available
              70   the device is connected, but it is not an accessory
              71   /proc is not mounted
              74   the output cannot be written
              75   no accessory was found, or it did not reply, in time
              76   the accessory refused a write
              77   the message bus does not permit this user to use bluetoothd
              129  ended by SIGHUP, 130 by Ctrl-C, 143 by SIGTERM. The command
                   disconnects first; if that fails, the status is that of the error
            """,
        version: CentralManager.version)

    @Argument(help: "The address or name of the device to connect to. By default, the command waits for one.")
    var device: String?
    @Option(help: "The line to send, without the CR LF that ends it.") var line = "hello"
    @Option(help: ArgumentHelp("The timeout in seconds for the accessory, and for its reply.", valueName: "seconds"))
    var timeout = 30.0
    @Flag(help: "Uses a simulated accessory; needs no Bluetooth.") var simulate = false

    func validate() throws {
        guard (0...1e6).contains(timeout) else { throw ValidationError("Give --timeout 0 to 1000000 seconds") }
    }

    static func main() async {
        StandardDescriptors.keepClosed()
        ProgramArguments.require("accessories")
        await main(nil)
    }

    func run() async throws {
        TraceLog.begin([])
        throw ExitCode(await ProgramWork.status(of: "accessories") { try await AccessoryRun(self).run() })
    }
}
