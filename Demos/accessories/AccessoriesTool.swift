import ArgumentParser
import CommandLineSupport
import CoreBlueZ

/// The demo: a session with an accessory, in a terminal.
@main struct AccessoriesTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accessories",
        abstract: "Lists accessories, reports which come and go, sends a line to one, and prints its reply.",
        discussion: """
            Exit status: 0 the reply was printed; 64 wrong arguments; 68 the link did not come up, or was lost; 69 no \
            Bluetooth; 70 the device is connected, but no accessory; 74 the output cannot be written; 75 no accessory \
            or no reply in time; 76 the accessory refused a write; 77 permission; 130 Ctrl-C; 143 SIGTERM.
            """)

    @Argument(help: "Connect to the device with this address or name; otherwise wait for one.") var device: String?
    @Option(help: "The line to send; CR LF is added.") var line = "hello"
    @Option(help: "The seconds to wait for the accessory, and for its reply.") var timeout = 30.0
    @Flag(help: "Use a simulated accessory; no Bluetooth is needed.") var simulate = false

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
