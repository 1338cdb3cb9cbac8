import ArgumentParser
import BlueZSimulator
import CommandLineSupport
import CoreBlueZ
import SimulatedSensorTag

/// The command: starts, prints the bus's address, and waits for the end.
@main struct BlueZSimulatorTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bluez-simulator",
        abstract: "A simulated BlueZ on a private message bus, with a TI SensorTag in range.",
        discussion: """
            Point any BlueZ client at it by the line that it prints:

              bluez-simulator &
              DBUS_SYSTEM_BUS_ADDRESS=unix:path=... bluetoothctl
              DBUS_SYSTEM_BUS_ADDRESS=unix:path=... python3 my_bleak_script.py
              DBUS_SYSTEM_BUS_ADDRESS=unix:path=... sensortag

            With --control, a test tells the peripherals what to do, by JSON lines over a Unix socket:

              bluez-simulator --control /tmp/private/control
              {"id":1,"do":"disconnect","peer":"tag"}       response:       {"id":1,"ok":true}

            It ends with Ctrl-C or SIGTERM. Exit codes: 0 ended so, 64 a wrong argument, 69 no bus could be started
            (is dbus-daemon installed?), 71 /proc is not mounted, 73 the control socket could not be made.
            """,
        version: CentralManager.version
    )

    @Option(help: "Which SensorTag is simulated: cc2541, cc2541-1.3 or cc2650.")
    var model = SensorTagModel.cc2541

    @Flag(
        help: "Add a second peripheral, which has one of each kind of characteristic. On with --control.")
    var probe = false

    @Option(help: ArgumentHelp("Open the control channel at this path (mode 0600).", valueName: "path"))
    var control: String?

    @Flag(help: "Offer what bluetoothd offers only with --experimental, such as PowerState.")
    var experimental = false

    @Flag(help: "Print the address of the bus as one JSON object.")
    var json = false

    static func main() async {
        StandardDescriptors.keepClosed()
        ProgramArguments.require("bluez-simulator")
        await main(nil)
    }

    func run() async throws {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        SignalWatch.shared.start { continuation.finish() }
        let simulation: Simulation
        do throws(CommandFailure) {
            simulation = try await Simulation(
                model: model, hasProbe: probe, control: control, isExperimental: experimental, warn: Self.complain)
        } catch {
            Self.complain(error.message)
            throw ExitCode(error.status.rawValue)
        }
        // If nobody reads it, there is nobody to tell.
        try? StandardOutput.writeLine(json ? simulation.json : simulation.line)
        if !json { Self.complain("A simulated BlueZ is running; it ends with Ctrl-C") }
        for await _ in signals {}
        await simulation.end()
    }

    private static func complain(_ text: String) {
        StandardError.writeLine("bluez-simulator: \(text)")
    }
}

extension SensorTagModel: ExpressibleByArgument {}
