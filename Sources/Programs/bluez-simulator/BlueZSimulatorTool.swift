import ArgumentParser
import BlueZScript
import BlueZSimulatedSensorTag
import BlueZSimulator
import CoreBlueZ

/// `bluez-simulator`: starts the simulator, prints the address of its bus, and runs until a signal ends it.
@main struct BlueZSimulatorTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bluez-simulator",
        abstract: "Simulates BlueZ on a private message bus, with a TI SensorTag in range.",
        discussion: """
            The program prints the environment variable with which any BlueZ client uses the simulator, and runs until \
            Ctrl-C.

            With --control, a test controls the peripherals over a Unix socket: each line is a JSON object, and so is \
            each response.

            Examples:
              bluez-simulator &
              DBUS_SYSTEM_BUS_ADDRESS=unix:path=... bluetoothctl
              DBUS_SYSTEM_BUS_ADDRESS=unix:path=... python3 my_bleak_script.py
              DBUS_SYSTEM_BUS_ADDRESS=unix:path=... sensortag
              bluez-simulator --model cc2650 --control /tmp/private/control

            A line on the control socket, and its response:
              {"id":1,"do":"disconnect","peer":"tag"}
              {"id":1,"ok":true}

            \(ExitStatus.section(statuses, [:], ending: ", after the bus has been removed"))
            """,
        version: CentralManager.version
    )

    private static let statuses: [ExitStatus: String] = [
        .unavailable: "the bus cannot be started; install dbus-daemon",
        .cannotCreate: "the control socket cannot be created",
    ]

    @Option(help: "The simulated SensorTag: a CC2541, a CC2541 with firmware 1.3, or a CC2650.")
    var model = SensorTagModel.cc2541

    @Flag(
        help: "Adds a second peripheral, with one characteristic of each kind. Implied by --control.")
    var probe = false

    @Option(help: ArgumentHelp("Creates the control socket at this path, with mode 0600.", valueName: "path"))
    var control: String?

    @Flag(help: "Adds what bluetoothd offers only with --experimental, such as PowerState.")
    var experimental = false

    @Flag(help: "Prints the address of the bus, the control socket and the devices as one JSON object.")
    var json = false

    static func main() async {
        Program.begin("bluez-simulator")
        await main(nil)
    }

    func run() async throws {
        throw ExitCode(await Program.run("bluez-simulator") { try await simulate() })
    }

    private func simulate() async throws(CommandFailure) {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        SignalWatch.shared.start { continuation.finish() }
        let simulation = try await Simulation(
            model: model, hasProbe: probe, control: control, isExperimental: experimental, warn: Self.complain)
        // A closed output is not an error: clients may already know the address.
        try? StandardOutput.writeLine(json ? simulation.json : simulation.line)
        if !json { Self.complain("A simulated BlueZ is running; Ctrl-C ends it") }
        for await _ in signals {}
        await simulation.end()
    }

    private static func complain(_ text: String) {
        StandardError.writeLine("bluez-simulator: \(text)")
    }
}

extension SensorTagModel: @retroactive ExpressibleByArgument {}
