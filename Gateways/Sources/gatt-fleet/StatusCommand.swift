import ArgumentParser
import BrokerOptions
import Fleet
import GatewayProtocol
import SystemPackage

/// `gatt-fleet status`: shows the gateways and what they hear.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the gateways, their links, the devices, and who hears them.",
        discussion: """
            Listens at the broker; needs no running fleet, publishes nothing, and uses no link. Ctrl-C shows earlier what \
            has been heard.

            Gateways repeat what an unchanged device advertises every 10 seconds, or as often as their --repeat says: to \
            see all devices, listen longer than that.

            Examples:
              gatt-fleet status --broker mqtt://broker.local
              gatt-fleet status --broker mqtt://broker.local --duration 1 --json

            Exit status:
              0    the broker has been listened to
              64   wrong arguments
              69   the broker cannot be reached, or does not speak MQTT 5
              77   the broker refuses the user or the subscriptions
              78   a file of the options cannot be used
            """)

    @OptionGroup(title: "Broker") var broker: BrokerOptions

    @OptionGroup(title: "Log") var log: LogOptions

    @Option(help: ArgumentHelp("How long to listen, 0.1 to 3600.", valueName: "seconds"))
    var duration = 12.0

    @Flag(help: "Print a line of JSON for each gateway, then for each device.")
    var json = false

    func validate() throws {
        guard (0.1...3600).contains(duration) else {
            throw ValidationError("--duration must be between 0.1 and 3600 seconds")
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
    }
}
