import ArgumentParser
import BlueZScript
import BrokerOptions
import Fleet
import GatewayProtocol
import SystemPackage

/// `gatt-fleet status`: prints the gateways and the devices that they hear.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the gateways, their links, the devices, and which gateways hear them.",
        discussion: """
            The command only listens to the broker: it needs no running fleet, publishes nothing, and uses no link. \
            Ctrl-C prints what it has heard until then, and ends it with status 130.

            Gateways repeat the advertisement of an unchanged device every 10 s, or at the interval of their option \
            --repeat. To see all devices, listen for longer than that.

            Examples:
              gatt-fleet status --broker mqtt://broker.local
              gatt-fleet status --broker mqtt://broker.local --duration 1 --json

            \(ExitStatus.section(statuses, BrokerOptions.statuses, ending: ""))
            """)

    private static let statuses: [ExitStatus: String] = [
        .success: "success, even if there is no gateway",
        .unavailable: "the broker cannot be reached, or does not support MQTT 5",
        .permission: "the broker refuses the user or the subscriptions",
    ]

    @OptionGroup(title: "Broker") var broker: BrokerOptions

    @OptionGroup(title: "Log") var log: LogOptions

    @Option(
        help: ArgumentHelp(
            "How long to listen: 0.1 to 3600 seconds. In less than 10 seconds, devices may be missing.",
            valueName: "seconds"))
    var duration = 12.0

    @Flag(help: "Prints one JSON object per line: the gateways, then the devices.")
    var json = false

    func validate() throws {
        guard (0.1...3600).contains(duration) else {
            throw ValidationError("Give --duration a number of seconds from 0.1 to 3600")
        }
    }

    func run() async throws {
        let termination = Termination()
        log.begin()
        do {
            let observer = try await FleetObserver(prefix: broker.prefix, broker: broker.makeBroker(name: "status"))
            let waiting = Task {
                await termination.wait()
                await observer.end()
            }
            defer { waiting.cancel() }
            let report = try await observer.observe(for: .seconds(duration))
            let lines = json ? try report.jsonLines() : report.lines
            try FileDescriptor.standardOutput.writeAll(lines.map { $0 + "\n" }.joined().utf8)
        } catch {
            throw ExitReport(error).exitCode
        }
        termination.endBySignal()
    }
}
